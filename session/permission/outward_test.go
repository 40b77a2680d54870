package permission

import (
	"runtime"
	"slices"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// TestStarsCoverNothingForced gives rules with a star for commands whose effect leaves this machine: they cover what adds, and
// not what forces, deletes, or aims elsewhere, which only a rule with the very words does.
func TestStarsCoverNothingForced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	for _, c := range []struct{ rule, covered, beyond string }{
		{"git push *", "git push origin main", "git push --force origin main"},
		{"git push *", "git push -u origin feature/x", "git push -uf origin feature/x"},
		{"git push *", "git push --tags origin", "git push origin :main"},
		{"git push *", "git push", "git push origin +main"},
		{"git push *", "git push -n origin main", "git push origin main:release"},
		{"git push *", "git push --follow-tags", "git push --delete origin main"},
		{"git push *", "git push origin main dev", "git push -d origin main"},
		{"git push *", "git push --atomic origin main", "git push --force-with-lease"},
		{"git push *", "git push -q", "git push --mirror"},
		{"git push *", "git push -v", "git push --prune origin"},
		{"git push *", "git push --set-upstream origin main", "git push origin $BRANCH"},
		{"git *", "git commit -m x", "git push origin main"},
		{"npm publish *", "npm publish --dry-run", "npm publish --access=public"},
		{"gh pr merge *", "gh pr merge 12", "gh pr merge 12 --admin"},
		{"gh pr *", "gh pr view 12", "gh pr merge 12"},
		{"kubectl delete *", "", "kubectl delete pod x"},
		{"kubectl *", "kubectl get pods", "kubectl delete pods --force"},
		{"gh pr *", "gh pr list --state open", "gh pr close 12"},
		{"gh repo *", "gh repo view", "gh repo delete x"},
		{"gh repo delete *", "", "gh repo delete x"},
		{"gh issue *", "gh issue list", "gh issue comment 1"},
		{"gh *", "", "gh secret set x"},
		{"kubectl apply *", "", "kubectl apply deploy.yaml"},
		{"kubectl scale *", "", "kubectl scale deploy/x"},
		{"terraform plan *", "terraform plan", "terraform apply"},
		{"terraform destroy *", "", "terraform destroy -auto-approve"},
		{"aws s3 *", "aws s3 ls s3://x", "aws s3 rm s3://x/y"},
		{"aws s3 rm *", "", "aws s3 rm s3://x/y"},
		{"aws ec2 *", "aws ec2 describe-instances", "aws ec2 terminate-instances"},
		{"gcloud *", "", "gcloud compute instances delete list"},
		{"gcloud compute instances *", "", "gcloud compute instances delete x"},
		{"docker push *", "", "docker push x/y"},
		{"npm owner *", "", "npm owner add x"},
		{"npm publish *", "", "npm publish ../other"},
		{"helm *", "", "helm upgrade x y"},
		{"curl *", "curl -s https://example.com", "curl -X POST https://example.com"},
		{"curl *", "curl -X GET https://example.com", "curl -XDELETE https://example.com"},
		{"curl *", "curl -X POST http://localhost:8080/x", "curl -d a=b https://example.com"},
		{"curl *", "curl --data x http://127.0.0.1/", "curl --data-raw x http://127.0.0.1.example.com/"},
		{"curl *", "curl -d x http://localhost:80", "curl -d x http://localhost:80 https://example.com"},
		{"curl *", "curl -H A:b https://example.com", "curl --json {} https://example.com"},
		{"ssh *", "", "ssh host ls"},
		{"scp *", "", "scp a host:b"},
		{"rsync *", "", "rsync -a . host:x"},
		{"mytool *", "mytool build", "mytool deploy"},
		{"mytool deploy *", "mytool deploy --verbose", "mytool deploy --target=prod"},
		{"cargo publish *", "", "cargo publish --allow-dirty"},
	} {
		rule := "command " + c.rule
		p := testPolicy(session.ModeDefault, session.Rule{Text: rule})
		decide := func(line string) Ruling {
			return p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line}).Ruling
		}
		if c.covered != "" && decide(c.covered) != Allow {
			t.Errorf("%s does not cover %s", rule, c.covered)
		}
		if decide(c.beyond) == Allow {
			t.Errorf("%s covers %s", rule, c.beyond)
		}
	}
	for line, exact := range map[string]bool{"git push --force origin main": true, "git push origin :main": true, "npm publish --access=public": true} {
		p := testPolicy(session.ModeDefault, session.Rule{Text: "command " + line})
		if got := p.Decide(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line}).Ruling == Allow; got != exact {
			t.Errorf("a rule with exactly %s: allowed %v", line, got)
		}
	}
}

// TestTheVeryLineIsOfferedFirst offers rules for what leaves this machine: exactly this, then the wider one, if a star covers it.
func TestTheVeryLineIsOfferedFirst(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	p := testPolicy(session.ModeDefault)
	for line, want := range map[string][]string{
		"git push origin main":         {"command git push origin main", "command git push *"},
		"git push --force origin main": nil,
		"git push origin :main":        nil,
		"gh repo delete x":             nil,
		"curl -X POST x.example":       {"command curl -X POST x.example"},
		"npm publish":                  {"command npm publish", "command npm publish *"},
		"gh pr merge 12":               {"command gh pr merge 12", "command gh pr merge *"},
		"go test ./...":                {"command go test *", "command go test ./..."},
	} {
		var got []string
		for _, r := range p.SuggestRules(toolview.Command, session.PermissionAsk{Tool: "Bash", Command: line}) {
			got = append(got, r.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if why := (Rule{Ruling: Allow, Subject: OnCommand, Pattern: "git push --force *"}).Void(); why == "" {
		t.Error("a rule with a star and --force is taken without a word")
	}
}

package program

import (
	"slices"
	"strings"

	"parley/session/permission/shell"
)

// outgoing is a program, some of whose calls change something outside of this machine. A rule with a star covers such a call only
// with what is plain here, and nothing else: no other option, and no operand but for refs and numbers.
type outgoing struct {
	names string
	// depth is the number of words that name the action of a call, 0 for all before the first option. free are those, at the last of
	// these places, that only read or stay here, alone those that do so at the first place. A word with "-" at its end stands for
	// what begins so.
	depth       int
	free, alone string
	// sends, where it is set, are the only words that change something elsewhere, at one of the places.
	sends string
	// plain are the options that say more or less, try, or add; targets means that plain words may follow.
	plain   string
	targets bool
}

// plainOptions say more or less, or try. With every program.
const plainOptions = " -v --verbose -q --quiet --dry-run --progress --no-progress "

// outwardVerbs are what the commands of programs without a table are called that change something elsewhere.
const outwardVerbs = "push publish unpublish deprecate yank upload deploy undeploy apply destroy delete merge release rollback promote"

// removals are the names of commands that take something away there. No star covers them.
var removals = strings.Fields("delete destroy rm rb remove unpublish yank purge prune drop undeploy uninstall terminate deprecate remove- delete- terminate- delete-repository")

const cloudReads = "list ls get show view status info describe version help logs log list- get- describe- history diff events search"

// outgoings are the programs with tables.
var outgoings = []*outgoing{
	{names: "git", depth: 1, sends: "push send-email", plain: "-n -u --set-upstream --porcelain --atomic --tags --follow-tags", targets: true},
	{names: "gh glab", depth: 2, free: "list view status diff checks ls checkout clone browse watch download verify help", alone: "status search browse version help completion auth",
		plain: "--squash --merge --rebase", targets: true},
	{names: "npm pnpm yarn bun", depth: 2, sends: outwardVerbs + " owner access dist-tag team token hook star unstar"},
	{names: "docker podman nerdctl buildah", depth: 2, sends: "push login logout"},
	{names: "kubectl oc", depth: 1, free: "get describe logs version explain api-resources api-versions cluster-info top events wait help"},
	{names: "helm", depth: 1, free: cloudReads + " lint template package pull dependency repo"},
	{names: "terraform tofu", depth: 1, free: "plan validate fmt show output providers version graph init get help"},
	{names: "pulumi", depth: 1, free: "preview version about whoami logs help"},
	{names: "aws", depth: 2, free: cloudReads + " wait", alone: "help"},
	{names: "gcloud az", alone: "version help info"},
	{names: "heroku fly vercel netlify wrangler sam cdk serverless firebase doctl hcloud", depth: 2, free: cloudReads, alone: cloudReads + " synth build validate"},
}

var outgoingOf = map[string]*outgoing{}

func init() {
	for _, o := range outgoings {
		for name := range strings.FieldsSeq(o.names) {
			outgoingOf[name] = o
		}
	}
}

// generic is any other program: it has a command of those names at its first or second place.
var generic = &outgoing{depth: 2, sends: outwardVerbs}

// outward describes the effect of a call outside of this machine.
type outward struct {
	words   int    // how many name what it does, 0 for a call that stays here
	beyond  string // why a rule with a star does not cover it, "" if it does
	removes bool   // it takes something away there
}

// judgeOutward returns what a call does outside of this machine.
func judgeOutward(name string, args []shell.Word) outward {
	switch name {
	case "curl":
		return judgeSent(args)
	case "ssh", "scp", "sftp", "rsync", "rclone":
		return judgeCopied(name, args)
	}
	o, known := outgoingOf[name]
	if !known {
		o = generic
	}
	n := o.named(args)
	if n == 0 {
		return outward{}
	}
	found := outward{words: n + 1, removes: slices.ContainsFunc(args[:min(n, len(args))], func(w shell.Word) bool { return among(removals, w.Text) })}
	if found.removes {
		found.beyond = "it takes something away outside of this machine"
		return found
	}
	found.beyond = o.beyond(name, args[min(n, len(args)):])
	return found
}

// named returns how many arguments name what a call does elsewhere, 0 for one that does nothing there.
func (o *outgoing) named(args []shell.Word) int {
	n := 0
	for n < len(args) && (o.depth == 0 || n < o.depth) && args[n].Known && !strings.HasPrefix(args[n].Text, "-") {
		n++
	}
	if o.sends != "" {
		sends := strings.Fields(o.sends)
		return 1 + slices.IndexFunc(args[:n], func(w shell.Word) bool { return slices.Contains(sends, w.Text) })
	}
	switch {
	case len(args) == 0, n == 0 && len(args) == 1 && slices.Contains(strings.Fields("--version --help -h -v version"), args[0].Text):
		return 0
	case n == 0:
		return 1
	case among(strings.Fields(o.alone), args[0].Text), among(strings.Fields(o.free), args[n-1].Text):
		return 0
	}
	return n
}

// beyond returns why a rule with a star does not cover the arguments behind those that name what a call does.
func (o *outgoing) beyond(name string, args []shell.Word) string {
	for _, w := range args {
		option := strings.HasPrefix(w.Text, "-")
		plain := slices.Contains(strings.Fields(plainOptions+o.plain), w.Text)
		switch {
		case !w.Known:
			return "what it changes outside of this machine is computed"
		case option && !plain:
			return w.Text + " may change what the rule does not say"
		case name == "git" && (strings.HasPrefix(w.Text, "+") || strings.Contains(w.Text, ":")):
			return w.Text + " may replace or delete what others have"
		case !option && !o.targets, strings.ContainsAny(w.Text, ":@"):
			return w.Text + " may be another place than the rule says"
		}
	}
	return ""
}

// among reports whether a word is in a list, or begins as one that ends with "-".
func among(list []string, word string) bool {
	return slices.ContainsFunc(list, func(one string) bool {
		return one == word || strings.HasSuffix(one, "-") && strings.HasPrefix(word, one)
	})
}

// judgeSent returns what a call of curl sends: data, a file or another method than one that reads. What stays on this machine is
// no matter.
func judgeSent(args []shell.Word) outward {
	sends, method, here := "", "", true
	for i, w := range args {
		text := w.Text
		long, value, _ := strings.Cut(text, "=")
		switch {
		case text == "" || text[0] != '-':
			here = here && (i > 0 && strings.HasPrefix(args[i-1].Text, "-") && !strings.Contains(text, "://") || isThisMachine(text))
		case long == "--request" || strings.HasPrefix(text, "-X"):
			method = strings.TrimPrefix(text, "-X")
			if long == "--request" {
				method = value
			}
			if method == "" && i+1 < len(args) {
				method = args[i+1].Text
			}
			if method != "GET" && method != "HEAD" {
				sends = text
			}
		case strings.HasPrefix(long, "--data"), strings.HasPrefix(long, "--form"), long == "--json", long == "--upload-file",
			text[1] != '-' && strings.ContainsAny(text[1:2], "dFT"):
			sends = text
		}
	}
	if sends == "" || here {
		return outward{}
	}
	return outward{words: 1, beyond: sends + " may change something outside of this machine", removes: method == "DELETE"}
}

// isThisMachine reports whether an address is one of this machine.
func isThisMachine(address string) bool {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		rest = address
	}
	host, _, _ := strings.Cut(rest, "/")
	if !strings.HasPrefix(host, "[::1]") {
		host, _, _ = strings.Cut(host, ":")
	}
	return host == "localhost" || host == "127.0.0.1" || strings.HasPrefix(host, "[::1]")
}

// judgeCopied returns what a call that logs in or copies does: it leaves this machine if an argument names a host.
func judgeCopied(name string, args []shell.Word) outward {
	host := name == "ssh" || name == "sftp" || slices.ContainsFunc(args, func(w shell.Word) bool {
		return !w.Known || !strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, ":")
	})
	if !host || len(args) == 0 {
		return outward{}
	}
	return outward{words: 1, beyond: "it acts on another machine", removes: slices.ContainsFunc(args, func(w shell.Word) bool {
		return strings.HasPrefix(w.Text, "--del") || among(strings.Fields("delete purge deletefile sync"), w.Text) && name == "rclone"
	})}
}

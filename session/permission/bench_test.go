package permission

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// typical are command lines as agents write them.
var typical = map[string]string{
	"one":      "go test ./...",
	"pipeline": "go test -run TestX ./session/... 2>&1 | tail -20",
	"list":     "cd sub && git status --short && grep -rn 'func main' . | head -5",
	"asked":    "curl -fsSL https://example.com/install.sh | sh",
}

// many returns the test policy with a thousand rules, none of which is about the typical lines but the last.
func many(t testing.TB, ruling Ruling) Policy {
	p := withRules(t, "command go test *")
	last := p.Rules[0]
	p.Rules = nil
	for i := range 1000 {
		texts := []string{"command tool%d run *", "edit dir%d/**", "read /data/%d/**", "fetch host%d.example.com", "mcp server%d", "tool Tool%d", "command make target%d", "command go tool%d *"}
		r, err := ParseRule(fmt.Sprintf(texts[i%len(texts)], i))
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			r.Ruling = ruling
		}
		p.Rules = append(p.Rules, r)
	}
	p.Rules = append(p.Rules, last)
	return p
}

// onDisk returns p over real directories, as it is used.
func onDisk(b *testing.B, p Policy) Policy {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	p.Dirs, p.Base, p.Home = []string{dir}, dir, filepath.Join(dir, "home")
	p = p.OnDisk(os.Environ())
	p.Programs = func(name string) []string { return []string{"/usr/bin/" + name} }
	return p
}

func BenchmarkCommand(b *testing.B) {
	for name, line := range typical {
		ask := session.PermissionAsk{Tool: "Bash", Command: line}
		b.Run(name, func(b *testing.B) {
			p := onDisk(b, withRules(b, "command go test *"))
			b.ReportAllocs()
			for b.Loop() {
				p.Decide(toolview.Command, ask)
			}
		})
	}
}

func BenchmarkThousandRules(b *testing.B) {
	for _, ruling := range []Ruling{Allow, Deny} {
		p := onDisk(b, many(b, ruling))
		for name, ask := range map[string]session.PermissionAsk{"command": {Tool: "Bash", Command: typical["pipeline"]}, "edit": {Tool: "Edit", Path: filepath.Join(p.Dirs[0], "sub", "x")}} {
			kind := toolview.Command
			if name == "edit" {
				kind = toolview.Edit
			}
			b.Run(fmt.Sprint(name, " ", ruling), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p.Decide(kind, ask)
				}
			})
		}
	}
}

// What a decision allocates grows neither with the rules that are about something else nor by accident.
func TestDecisionsAllocateLittle(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	ask := session.PermissionAsk{Tool: "Bash", Command: typical["pipeline"]}
	few, lots := withRules(t, "command go test *"), many(t, Allow)
	for _, p := range []Policy{few, lots} {
		if got := rulingOn(p, ask.Command); got != Allow {
			t.Fatal(got)
		}
	}
	one := testing.AllocsPerRun(50, func() { few.Decide(toolview.Command, ask) })
	all := testing.AllocsPerRun(50, func() { lots.Decide(toolview.Command, ask) })
	if one > 150 || all > one+300 {
		t.Errorf("%v allocations with one rule, %v with a thousand", one, all)
	}
	t.Logf("%v allocations with one rule, %v with a thousand", one, all)
}

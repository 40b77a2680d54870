package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/ui"
)

// clientEdit changes, adds and removes lines, some of them wide.
var clientEdit = session.FileEdit{Path: Dir + "/client.go", Added: 6, Removed: 5, Patch: `@@ -40,12 +40,13 @@
 // do sends a request until it is answered, at most so many times.
 func (c *Client) do(req *http.Request) (*http.Response, error) {
 	for n := range c.Attempts {
-		resp, err := c.Do(req)
+		timer := time.NewTimer(backoff(n))
+		resp, err := c.send(req)
 		if err == nil && resp.StatusCode < 500 {
+			timer.Stop()
 			return resp, nil
 		}
-		timer := time.NewTimer(backoff(n)) // too late
-		log.Printf("attempt %d failed", n)
+		log.Printf("attempt %d of %d failed and is tried again after a while: %v (with the last answer)", n+1, c.Attempts, err)
-		// 漢字 👩‍👩‍👧
-		wait(timer)
+		<-timer.C
 	}
`}

// edited plays the change of a file.
func edited(p *Program) {
	p.Type("start the timer first")
	turn := p.Turn()
	call := turn.StartTool("Edit", `{"file_path":"/home/ada/src/acme/client.go"}`)
	turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolOK, Result: session.ToolResult{Text: "ok"}, Edits: []session.FileEdit{clientEdit}})
	turn.End(session.TurnCompleted)
	p.Pass(time.Second)
}

// TestChangesSideBySide switches between the two looks of a change, asked about and made.
func TestChangesSideBySide(t *testing.T) {
	for _, c := range []struct {
		name  string
		w     int
		light bool
	}{{"140x40", 140, false}, {"160x40", 160, false}, {"160x40-light", 160, true}} {
		Run(t, Config{Width: c.w, Height: 40, Settings: opus}, func(p *Program) {
			if c.light {
				p.Send("\x1b]11;rgb:ffff/ffff/ffff\x07")
			}
			edited(p)
			before := p.Text()
			p.Keys("alt+v")
			if !p.Has("changes are side by side") {
				t.Errorf("no notice:\n%s", p.Text())
			}
			p.Pass(10 * time.Second)
			p.Golden("diff-split-" + c.name)
			p.Keys("alt+v")
			p.Pass(10 * time.Second)
			if p.Text() != before {
				t.Errorf("the change is not as before:\n%s", p.Text())
			}
		})
	}
	Run(t, Config{Width: 140, Height: 40, Settings: opus, Options: func(o *ui.Options) { o.Appearance.DiffSplit = true }}, func(p *Program) {
		p.Type("start the timer first")
		answer := editAsk(p.Turn())
		p.Pass(time.Second)
		p.Golden("diff-split-asks-140x40")
		p.Resize(139, 40)
		p.Settle()
		if p.Has("│") {
			t.Errorf("side by side in 139 columns:\n%s", p.Text())
		}
		p.Keys("n")
		got(p, answer)
	})
	Run(t, Config{Width: 120, Height: 40}, func(p *Program) {
		edited(p)
		before := p.Counts().Layouts
		p.Keys("alt+v")
		if !p.Has("changes side by side need 140 columns; this window has 120") || p.Has("│") {
			t.Errorf("a narrow window:\n%s", p.Text())
		}
		if n := p.Counts().Layouts - before; n > 8 {
			t.Errorf("%d layouts", n)
		}
	})
}

// TestSideBySideIsReadAsUnified copies and finds the same in both looks.
func TestSideBySideIsReadAsUnified(t *testing.T) {
	Run(t, Config{Width: 160, Height: 40, Settings: opus}, func(p *Program) {
		edited(p)
		copied := func(from, to string) string {
			x, y := p.Find(from)
			p.Press(3, y)
			_, Y := p.Find(to)
			p.Drag(158, Y)
			p.Release(158, Y)
			p.Settle()
			text, _ := p.Copied()
			if x < 0 || text == "" {
				t.Fatalf("nothing is copied from %q to %q:\n%s", from, to, p.Text())
			}
			p.Send("x")
			p.Keys("backspace")
			return text
		}
		spans := [][2]string{{"// do sends", "<-timer.C"}, {"for n := range", "return resp"}, {"return resp", "<-timer.C"}}
		var want []string
		for _, s := range spans {
			want = append(want, copied(s[0], s[1]))
		}
		p.Keys("alt+v")
		for i, s := range spans {
			if got := copied(s[0], s[1]); got != want[i] {
				t.Errorf("from %q to %q copied\n%s\nunified\n%s", s[0], s[1], got, want[i])
			}
		}
		x, y := p.Find("c.send")
		p.Press(x, y)
		p.Drag(x+len("c.send(req)"), y)
		p.Release(x+len("c.send(req)"), y)
		p.Settle()
		if got, _ := p.Copied(); got != "c.send(req)" {
			t.Errorf("within the right half %q is copied", got)
		}
		for query, right := range map[string]bool{"too late": false, "Do(": false, "is tried again": true} {
			p.Keys("ctrl+f")
			p.Send(query)
			p.Settle()
			if !p.Has("1 of 1") {
				t.Errorf("%q is not found once:\n%s", query, p.Text())
			}
			word, _, _ := strings.Cut(query, " ")
			x, y := p.Find(query)
			marked := false
			for line := range strings.SplitSeq(p.Dump(), "\n") {
				marked = marked || strings.HasPrefix(line, fmt.Sprintf("%d: ", y)) && strings.Contains(line, fmt.Sprintf(" %d-%d fg=#000000 bg=#ffaf5f", x, x+len(word)-1))
			}
			if (x > 80) != right || !marked {
				t.Errorf("%q at %d,%d is not marked:\n%s", query, x, y, p.Dump())
			}
			p.Keys("esc")
		}
	})
}

package uitest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"parley/session"
	"parley/session/sessiontest"
)

// film is the scene of the moving picture: one conversation from the prompt to its end. Its play is that of TestPicturesMove.
var film = scene{"film", "a conversation with parley: a prompt, an answer that is being written, the question before an edit, yes, and the tests that pass", 30, upload, nil}

// TestPicturesMove draws a conversation as a picture that moves, dark and light.
func TestPicturesMove(t *testing.T) {
	for _, light := range []bool{false, true} {
		name := film.name + "-dark"
		if light {
			name = film.name + "-light"
		}
		t.Run(name, func(t *testing.T) {
			film.run(t, light, func(p *Program) {
				c := camera{p: p}
				playFilm(&c)
				svg := c.svg(film.title)
				golden(t, filepath.Join("..", "..", "docs", "pictures", name+".svg"), svg)
				alone(t, svg, 150<<10)
				if len(c.shots) < 20 || !strings.Contains(svg, "prefers-reduced-motion") {
					t.Errorf("%d shots in\n%.500s", len(c.shots), svg)
				}
			})
		})
	}
}

// TestAFilmShowsEachRowWhenItIsThere films two screens that share a row: it is drawn once, for all of the time.
func TestAFilmShowsEachRowWhenItIsThere(t *testing.T) {
	s := NewScreen(10, 2)
	defer s.Close()
	c := camera{p: &Program{Screen: s, scheme: DarkScheme}}
	write := func(bytes string) {
		if _, err := s.Write([]byte(bytes)); err != nil {
			t.Fatal(err)
		}
	}
	write("\x1b[?25lsame\r\nfirst")
	c.shoot(time.Second)
	write("\r\x1b[Ksecond")
	c.shoot(3 * time.Second)
	svg := c.svg("two")
	for _, want := range []string{"<g><text", ">same</text></g>", `<g class="a k0-1"><text`, ">first</text></g>", `<g class="a k1-2 z"><text`, ">second</text></g>",
		".a{visibility:hidden;animation:4s ", "k0-1{0%{visibility:visible}25%{visibility:hidden}}", "k1-2{0%{visibility:hidden}25%{visibility:visible}}"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if n := strings.Count(svg, "same"); n != 1 {
		t.Errorf("the shared row is drawn %d times", n)
	}
}

// camera takes shots of a screen and joins them.
type camera struct {
	p     *Program
	shots []shot
}

// shot is a screen and for how long it is shown: each row as markup, "" for an empty one.
type shot struct {
	rows  []string
	lasts time.Duration
}

// shoot takes a shot of the screen as it is.
func (c *camera) shoot(lasts time.Duration) {
	s := c.p.Screen
	s.mu.Lock()
	defer s.mu.Unlock()
	shot := shot{lasts: lasts}
	at := s.emu.CursorPosition()
	for y := range s.emu.Height() {
		cursor := -1
		if y == at.Y && !s.hidden {
			cursor = at.X
		}
		d, b := drawing{scheme: c.p.scheme}, strings.Builder{}
		d.row(y, s.emu.Width(), cursor, func(x int) *uv.Cell { return s.emu.CellAt(x, y) })
		d.grounds.write(&b)
		d.lines.write(&b)
		b.WriteString(d.text.String())
		shot.rows = append(shot.rows, strings.TrimSuffix(b.String(), "\n"))
	}
	c.shots = append(c.shots, shot)
}

// svg draws the film: each row once for each stretch of shots in which it stays, shown by the clock of a style sheet. Readers who
// want no motion, and programs that know no style sheets, see the last shot.
func (c *camera) svg(title string) string {
	total, starts := time.Duration(0), []time.Duration{}
	for _, s := range c.shots {
		starts, total = append(starts, total), total+s.lasts
	}
	part := func(i int) string {
		if i == len(starts) {
			return "100%"
		}
		return px(100*float64(starts[i])/float64(total)) + "%"
	}
	var sheet, body strings.Builder
	fmt.Fprintf(&sheet, ".a{visibility:hidden;animation:%ss step-end infinite}.z{visibility:visible}\n@media (prefers-reduced-motion:reduce){.a{animation:none}}\n", px(total.Seconds()))
	known := map[string]bool{}
	for y := range c.shots[0].rows {
		for from := 0; from < len(c.shots); {
			to, row := from+1, c.shots[from].rows[y]
			for to < len(c.shots) && c.shots[to].rows[y] == row {
				to++
			}
			class := c.class(from, to)
			if row != "" {
				fmt.Fprintf(&body, "<g%s>%s</g>\n", class, row)
			}
			if name := fmt.Sprintf("k%d-%d", from, to); row != "" && class != "" && !known[name] {
				known[name] = true
				frames := "0%{visibility:visible}"
				if from > 0 {
					frames = "0%{visibility:hidden}" + part(from) + "{visibility:visible}"
				}
				if to < len(c.shots) {
					frames += part(to) + "{visibility:hidden}"
				}
				fmt.Fprintf(&sheet, ".%s{animation-name:%[1]s}@keyframes %[1]s{%s}\n", name, frames)
			}
			from = to
		}
	}
	var b strings.Builder
	c.p.scheme.begin(&b, c.p.emu.Width(), c.p.emu.Height(), title, sheet.String())
	b.WriteString(body.String() + "</g>\n</svg>\n")
	return b.String()
}

// class returns the attribute of a row that stays for a stretch of shots, "" for one that always stays.
func (c *camera) class(from, to int) string {
	switch {
	case from == 0 && to == len(c.shots):
		return ""
	case to == len(c.shots):
		return fmt.Sprintf(` class="a k%d-%d z"`, from, to)
	}
	return fmt.Sprintf(` class="a k%d-%d"`, from, to)
}

// write types a prompt as a person does, and takes shots of it.
func (c *camera) write(words ...string) {
	for _, w := range words {
		c.p.Send(w)
		c.p.Settle()
		c.shoot(110 * time.Millisecond)
	}
	c.shoot(500 * time.Millisecond)
}

// stream lets a part of an answer arrive in pieces, and takes shots of it.
func (c *camera) stream(turn *sessiontest.Turn, part session.PartID, pieces ...string) {
	for _, s := range pieces {
		turn.Emit(session.PartDelta{Part: part, Text: s})
		c.p.Settle()
		c.shoot(150 * time.Millisecond)
	}
}

// timerEdit is the change that is asked about.
var timerEdit = session.FileEdit{Path: acme + "/upload/retry.go", Added: 4, Removed: 3, Patch: `@@ -40,11 +40,12 @@
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
+		log.Printf("attempt %d of %d failed", n+1, c.Attempts)
 		<-timer.C
 	}
`}

// askEdit plays the question before that change, and returns its call and the user's answer.
func askEdit(turn *sessiontest.Turn) (session.CallID, <-chan session.Answer) {
	in := json.RawMessage(`{"file_path":"/home/ada/acme/upload/retry.go","old_string":"a","new_string":"b"}`)
	call := turn.StartTool("Edit", string(in))
	_, answer := turn.Ask(session.Asked{Call: call, Permission: &session.PermissionAsk{Tool: "Edit", Input: in, Path: timerEdit.Path,
		Edit: &timerEdit, Rules: []session.Rule{{Text: "edit upload/**", Label: "edits of upload/**", Names: []string{"any file in upload/"}}}}})
	return call, answer
}

// playFilm plays the conversation of the film.
func playFilm(c *camera) {
	p := c.p
	p.Settle()
	c.shoot(time.Second)
	c.write("why ", "does ", "the ", "upload ", "test ", "flake? ", "fix ", "it")
	p.Keys("enter")
	turn := p.Turn()
	turn.Emit(session.ContextReported{Used: 41200, Window: 200000}, session.LimitReported{Quota: premium})
	p.Settle()
	c.shoot(600 * time.Millisecond)
	p.Pass(2 * time.Second)
	turn.Reasoning(2*time.Second, "The server may be closed before the last retry has been answered.")
	p.Settle()
	c.shoot(500 * time.Millisecond)
	read(turn, "upload/upload_test.go", 214)
	p.Settle()
	c.shoot(300 * time.Millisecond)
	read(turn, "upload/retry.go", 96)
	p.Settle()
	c.shoot(500 * time.Millisecond)
	part := turn.OpenPart(session.PartText)
	c.stream(turn, part, "The backoff ", "starts **after** ", "the response, ", "so a slow ", "machine waits ", "for the request ", "*and* for ", "the timer. ",
		"The timer ", "has to run ", "while the ", "request does:")
	turn.Emit(session.PartEnded{Part: part})
	call, answer := askEdit(turn)
	p.Settle()
	c.shoot(600 * time.Millisecond)
	p.Pass(time.Second)
	c.shoot(3 * time.Second)
	p.Answer("y")
	<-answer
	turn.Emit(session.ToolEnded{Call: call, Outcome: session.ToolOK, Duration: 20 * time.Millisecond, Edits: []session.FileEdit{timerEdit}, Result: session.ToolResult{Text: "ok"}})
	p.Settle()
	c.shoot(700 * time.Millisecond)
	run := turn.StartTool("Bash", `{"command":"go test -run TestUpload -count 50 ./upload"}`)
	for range 3 {
		p.Pass(time.Second)
		c.shoot(500 * time.Millisecond)
	}
	turn.Emit(session.ToolEnded{Call: run, Outcome: session.ToolOK, Duration: 3 * time.Second, Result: session.ToolResult{Text: "ok  \tacme/upload\t2.911s\n"}})
	part = turn.OpenPart(session.PartText)
	c.stream(turn, part, "Fixed: ", "fifty runs ", "pass. ", "The change is ", "in `/changes`, ", "and `u` there ", "takes it back.")
	turn.Emit(session.PartEnded{Part: part})
	turn.End(session.TurnCompleted)
	p.Pass(time.Second)
	c.shoot(5 * time.Second)
}

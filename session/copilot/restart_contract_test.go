//go:build contract && unix

package copilot

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/live"
	"parley/session/runtimes/runtimestest"
)

// restart ends the program and starts it again, without a session.
func (w *whole) restart() {
	w.t.Helper()
	w.end()
	w.start()
}

// resume opens a stored session.
func (w *whole) resume(id session.ID) *live.Session {
	w.t.Helper()
	s, err := w.m.Resume(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	w.s = s
	w.watch()
	return s
}

// turnsOf are the ids of the turns with a prompt.
func turnsOf(t *session.Transcript) string {
	var ids []string
	for _, u := range t.Turns {
		if u.Prompt.Text != "" {
			ids = append(ids, string(u.ID))
		}
	}
	return strings.Join(ids, " ")
}

// resumed ends the program and continues the session in another one: its turns are the same, and the model knows them.
func (w *whole) resumed() {
	w.allows()
	w.completes("hello", "hello")
	w.completes("run echo from a tool", "from a tool")
	was := turnsOf(w.transcript())
	id := w.s.ID()
	w.restart()
	w.resume(id)
	if now := turnsOf(w.transcript()); now != was {
		w.t.Errorf("turns %s; want %s", now, was)
	}
	w.completes("hello again", "hello again")
	if body := string(w.bodyOf("hello again")); !strings.Contains(body, "from a tool") {
		w.t.Error("the model does not know what was said")
	}
}

// inUse opens a session that another program has open.
func (w *whole) inUse() {
	w.completes("hello", "hello")
	w.eventually("the session on disk", func() bool { return w.agent.stored(w.s.ID()) })
	other := New(w.agent.o)
	defer func() {
		if err := other.Close(context.Background()); err != nil {
			w.t.Error(err)
		}
	}()
	warned := make(chan string, 10)
	endpoint, err := proxyEndpoints{w.server}.Open(context.Background(), w.s.ID())
	if err != nil {
		w.t.Fatal(err)
	}
	conv, err := other.Open(context.Background(), session.OpenOptions{Session: w.s.ID(), Gen: 1, Dir: w.dir, Endpoint: endpoint,
		Settings: session.Settings{Mode: session.ModeDefault}, Emit: func(e session.Event) {
			if n, ok := e.(session.Notice); ok {
				warned <- n.Text
			}
		}})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := conv.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	close(warned)
	if text := <-warned; !strings.Contains(text, "open") {
		w.t.Errorf("warned %q", text)
	}
}

// continued sends a prompt as another program does that has the session open meanwhile: it is noticed, and the agent knows of it.
func (w *whole) continued() {
	w.completes("hello", "hello")
	w.eventually("the session on disk", func() bool { return w.agent.stored(w.s.ID()) })
	other := New(w.agent.o)
	defer func() {
		if err := other.Close(context.Background()); err != nil {
			w.t.Error(err)
		}
	}()
	ended := make(chan struct{}, 10)
	conv, err := other.Open(context.Background(), session.OpenOptions{Session: w.s.ID(), Gen: 1, Dir: w.dir, Endpoint: w.conv.o.Endpoint,
		Settings: session.Settings{Mode: session.ModeDefault}, Emit: func(e session.Event) {
			if _, ok := e.(session.TurnEnded); ok {
				ended <- struct{}{}
			}
		}})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := conv.(session.Waker).Wake(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	l := conv.(*conversation).Link
	if err := l.call(context.Background(), "session.send", map[string]any{"prompt": "hello from elsewhere", "mode": "enqueue"}, nil); err != nil {
		w.t.Fatal(err)
	}
	<-ended
	if err := conv.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	w.completes("hello again", "hello again")
	if body := string(w.bodyOf("hello again")); !strings.Contains(body, "hello from elsewhere") {
		w.t.Error("the model does not know what was said elsewhere")
	}
	notices := 0
	for _, e := range w.all() {
		if n, ok := e.(session.Notice); ok && strings.Contains(n.Text, "gone on with this session") {
			notices++
		}
	}
	if notices != 1 {
		w.t.Errorf("%d notices", notices)
	}
	w.completes("hello at last", "hello at last")
}

// fork copies a session up to its first turn. The copy goes on for itself.
func (w *whole) fork() {
	w.completes("hello one", "hello one")
	first := w.transcript().Turns[0].ID
	w.completes("hello two", "hello two")
	source := w.s.ID()
	copied, err := w.m.Fork(context.Background(), source, first)
	if err != nil {
		w.t.Fatal(err)
	}
	if copied.ID() == w.s.ID() {
		w.t.Fatal("the copy has the id of the original")
	}
	w.s = copied
	w.watch()
	w.completes("hello three", "hello three")
	if body := string(w.bodyOf("hello three")); !strings.Contains(body, "hello one") || strings.Contains(body, "hello two") {
		w.t.Errorf("the copy knows %s", body)
	}
	// The original has all of its events, also when the runtime has ended.
	if err := w.m.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	if err := w.agent.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
	events, err := w.agent.Replay(context.Background(), source)
	if turns := session.Fold(events).Turns; err != nil || len(turns) != 2 || turns[1].Prompt.Text != "hello two" {
		w.t.Errorf("the original has %d turns, %v", len(turns), err)
	}
}

// truncate forgets the second of two turns.
func (w *whole) truncate() {
	w.completes("hello one", "hello one")
	first := w.transcript().Turns[0].ID
	w.completes("hello two", "hello two")
	w.mu.Lock()
	c := w.conv
	w.mu.Unlock()
	if err := c.Truncate(context.Background(), first); err != nil {
		w.t.Fatal(err)
	}
	w.completes("hello three", "hello three")
	if body := string(w.bodyOf("hello three")); !strings.Contains(body, "hello one") || strings.Contains(body, "hello two") {
		w.t.Errorf("the model knows %s", body)
	}
}

// remove deletes the runtime's record.
func (w *whole) remove() {
	w.completes("hello", "hello")
	id := w.s.ID()
	kept, err := w.agent.Kept(context.Background(), id)
	if err != nil || len(kept) == 0 {
		w.t.Fatalf("%v, %v", kept, err)
	}
	if err := w.agent.Remove(context.Background(), id); err != nil {
		w.t.Fatal(err)
	}
	for _, path := range kept {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			w.t.Errorf("%s is left: %v", path, err)
		}
	}
}

// attachments sends a file, a selection and an image.
func (w *whole) attachments() {
	path := filepath.Join(w.dir, "poem.txt")
	if err := os.WriteFile(path, []byte("roses are red\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	pixel := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82")
	w.completes("hello files", "You said",
		session.Attachment{Kind: session.AttachFile, Path: path},
		session.Attachment{Kind: session.AttachSelection, Path: path, FirstLine: 1, LastLine: 1, Text: "roses are red"},
		session.Attachment{Kind: session.AttachPaste, Text: "pasted words"},
		session.Attachment{Kind: session.AttachImage, MediaType: "image/png", Data: pixel})
	body := string(w.bodyOf("hello files"))
	for _, want := range []string{"poem.txt", "roses are red", "pasted words", "image/png"} {
		if !strings.Contains(body, want) {
			w.t.Errorf("the model does not read %q", want)
		}
	}
	id := w.s.ID()
	w.restart()
	w.resume(id)
	if p := w.transcript().Turns[0].Prompt; p.Text != "hello files" {
		w.t.Errorf("the prompt is %q", p.Text)
	}
}

// TestContractSessionsOfTheCopilotCLI continues a session that the Copilot CLI has made without parley.
func TestContractSessionsOfTheCopilotCLI(t *testing.T) {
	dir := runtimestest.InstalledCopilots(t)
	cli := runtimestest.Copilot(t, dir, runtimestest.CopilotHeadless)
	for _, version := range runtimestest.Copilots {
		t.Run(version, func(t *testing.T) {
			w := newWhole(t, runtimestest.Copilot(t, dir, version), true)
			cmd := exec.Command(cli[0], append(cli[1:], "-p", "hello from the terminal", "--allow-all-tools", "--model", "claude-sonnet-4.6", "--no-auto-update")...)
			cmd.Dir = w.dir
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "COPILOT_HOME=" + filepath.Join(w.home, ".copilot"),
				"COPILOT_CACHE_HOME=" + os.Getenv("COPILOT_CACHE_HOME"), "COPILOT_GITHUB_TOKEN=" + w.sim.Token(),
				"COPILOT_API_URL=" + w.sim.CopilotURL(), "COPILOT_DEBUG_GITHUB_API_URL=" + w.sim.GitHubURL(), "COPILOT_DISABLE_KEYTAR=1"}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			metas, err := w.agent.Sessions(context.Background())
			if err != nil || len(metas) != 1 {
				t.Fatalf("%+v, %v", metas, err)
			}
			if metas[0].First != "hello from the terminal" || metas[0].Dir != w.dir {
				t.Errorf("%+v", metas[0])
			}
			w.resume(metas[0].ID)
			if turns := w.transcript().Turns; len(turns) != 1 || turns[0].Prompt.Text != "hello from the terminal" {
				t.Errorf("%d turns", len(turns))
			}
			w.completes("hello from parley", "hello from parley")
			if body := string(w.bodyOf("hello from parley")); !strings.Contains(body, "hello from the terminal") {
				t.Error("the model does not know what was said")
			}
		})
	}
}

package claude

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
)

const wakeID = "0f8fad5b-d9cb-469f-a165-70867728950e"

// store appends lines to the transcript of the session.
func store(t *testing.T, home string, lines ...string) {
	t.Helper()
	dir := filepath.Join(home, ".claude", "projects", "-x")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, wakeID+".jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, l := range lines {
		if _, err := f.WriteString(l + "\n"); err != nil {
			t.Fatal(err)
		}
	}
}

// exchange is a prompt and its answer, as a runtime stores them that was started from there.
func exchange(entrypoint, uuid, parent, text string) []string {
	const form = `{"parentUuid":%s,"isSidechain":false,"type":"%s","uuid":"%s","timestamp":"2026-01-01T12:00:00.000Z","entrypoint":"%s","message":%s}`
	before := "null"
	if parent != "" {
		before = `"` + parent + `"`
	}
	return []string{
		fmt.Sprintf(form, before, "user", uuid, entrypoint, `{"role":"user","content":"`+text+`"}`),
		fmt.Sprintf(form, `"`+uuid+`"`, "assistant", uuid+"-answer", entrypoint,
			`{"id":"m-`+uuid+`","role":"assistant","content":[{"type":"text","text":"answer to `+text+`"}],"stop_reason":"end_turn"}`),
	}
}

// withHome makes a conversation whose home directory is given to the test.
func withHome(t *testing.T, f func(t *testing.T, ch *chat, home string), opts ...option) {
	t.Helper()
	home := ""
	talk(t, func(t *testing.T, ch *chat) { f(t, ch, home) },
		append(opts, func(o *Options, _ *session.OpenOptions) { home = o.Home })...)
}

func (ch *chat) notices() []string {
	var out []string
	for _, n := range eventsOf[session.Notice](ch) {
		out = append(out, n.Text)
	}
	return out
}

// After an idle time the process is started again when the user begins to type, without a report. One that is not
// used is given back again.
func TestWakeAfterAnIdleTime(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		ch.turn(1, "hello")
		time.Sleep(2 * time.Hour)
		first, told := ch.rt(), len(ch.list())
		select {
		case <-first.done:
		default:
			t.Fatal("the idle process is kept")
		}
		waker := ch.c.(session.Waker)
		if err := waker.Wake(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := waker.Wake(t.Context()); err != nil {
			t.Fatal(err)
		}
		if ch.runtimes() != 2 || len(ch.list()) != told {
			t.Errorf("%d runtimes, told %s", ch.runtimes(), outlineOf(ch.list()[told:]))
		}
		ch.turn(2, "again")
		if ch.runtimes() != 2 {
			t.Error("what was woken was not used")
		}
		time.Sleep(2 * time.Hour)
		if err := waker.Wake(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		select {
		case <-ch.rt().done:
		default:
			t.Error("what was woken in vain is kept")
		}
	}, func(o *Options, _ *session.OpenOptions) { o.IdleAfter = time.Hour })
}

// Waking leaves a turn alone, and a prompt that comes meanwhile waits for it.
func TestWakeAndSend(t *testing.T) {
	talk(t, func(t *testing.T, ch *chat) {
		done := ch.begin(context.Background(), turnID(1), "hello")
		if err := ch.c.(session.Waker).Wake(t.Context()); err != nil {
			t.Fatal(err)
		}
		ch.rt().answer(string(turnID(1)), "yes")
		ch.finished(done)
		time.Sleep(2 * time.Hour)
		hold := make(chan struct{})
		ch.onStart = func(context.Context, *fake) error { <-hold; return nil }
		woken := make(chan error, 1)
		go func() { woken <- ch.c.(session.Waker).Wake(t.Context()) }()
		synctest.Wait()
		done = ch.begin(context.Background(), turnID(2), "again")
		ch.running(done)
		close(hold)
		synctest.Wait()
		if err := <-woken; err != nil {
			t.Error(err)
		}
		ch.rt().answer(string(turnID(2)), "yes")
		ch.finished(done)
		if ch.runtimes() != 2 {
			t.Errorf("%d runtimes", ch.runtimes())
		}
	}, func(o *Options, _ *session.OpenOptions) { o.IdleAfter = time.Hour })
}

// What was said in Claude Code itself is shown when the user begins to type, and a new process reads it.
func TestForeignTurnsAreShown(t *testing.T) {
	withHome(t, func(t *testing.T, ch *chat, home string) {
		ch.turn(1, "hello")
		store(t, home, exchange("sdk-go", string(turnID(1)), "", "hello")...)
		if err := ch.c.(session.Waker).Wake(t.Context()); err != nil {
			t.Fatal(err)
		}
		if ch.runtimes() != 1 || len(ch.notices()) != 0 {
			t.Fatalf("%d runtimes, %q: its own lines are no news", ch.runtimes(), ch.notices())
		}
		store(t, home, exchange("cli", "11111111-0000-4000-8000-000000000001", string(turnID(1))+"-answer", "from outside")...)
		if err := ch.c.(session.Waker).Wake(t.Context()); err != nil {
			t.Fatal(err)
		}
		tr := session.Fold(ch.list())
		// The notice comes after them, outside of a turn.
		if n := len(tr.Turns); n != 3 || tr.Turns[2].ID != "" || tr.Turns[1].Prompt.Text != "from outside" || tr.Turns[1].Outcome != session.TurnCompleted {
			t.Errorf("%d turns: %s", n, outlineOf(ch.list()))
		}
		if got := ch.notices(); len(got) != 1 || !strings.Contains(got[0], "shown above") {
			t.Errorf("told %q", got)
		}
		if ch.runtimes() != 2 || !ch.rt().o.Launch.Resume {
			t.Errorf("%d runtimes, resumed %v", ch.runtimes(), ch.rt().o.Launch.Resume)
		}
		ch.turn(2, "again")
		if ch.runtimes() != 2 || len(ch.notices()) != 1 {
			t.Errorf("%d runtimes, told %q: it is known by now", ch.runtimes(), ch.notices())
		}
	})
}

// A prompt that comes at once gets a process that has read the new lines, and a notice.
func TestForeignTurnsAreReadWithThePrompt(t *testing.T) {
	withHome(t, func(t *testing.T, ch *chat, home string) {
		ch.turn(1, "hello")
		store(t, home, exchange("cli", "11111111-0000-4000-8000-000000000001", "", "from outside")...)
		done := ch.begin(context.Background(), turnID(2), "again")
		if ch.runtimes() != 2 || !ch.rt().o.Launch.Resume {
			t.Fatalf("%d runtimes", ch.runtimes())
		}
		ch.rt().answer(string(turnID(2)), "yes")
		ch.finished(done)
		if got := ch.notices(); len(got) != 1 || !strings.Contains(got[0], "open the session again") {
			t.Errorf("told %q", got)
		}
		for _, e := range ch.list() {
			if r, ok := e.(session.RuntimeChanged); ok && r.State == session.RuntimeExited {
				t.Errorf("told of an end: %+v", r)
			}
		}
	})
}

// Another Claude Code process with the session open is reported once. A runtime of parley, another session and a dead process
// are not.
func TestRivals(t *testing.T) {
	withHome(t, func(t *testing.T, ch *chat, home string) {
		dir := filepath.Join(home, ".claude", "sessions")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		put := func(name, data string) {
			if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		register := func(pid int, id, entrypoint string) {
			put(fmt.Sprint(pid), fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":"/","startedAt":1,"kind":"interactive","entrypoint":%q}`, pid, id, entrypoint))
		}
		const dead, plain = 4000, 4711
		ch.a.Archive.Alive = func(pid int) bool { return pid != dead }
		register(1, wakeID, "sdk-go")
		register(2, "another", "cli")
		register(dead, wakeID, "cli")
		put("3", "{")
		put("broken", "{}")
		ch.turn(1, "hello")
		if got := ch.notices(); len(got) != 0 {
			t.Fatalf("told %q", got)
		}
		register(plain, wakeID, "cli")
		for n := range 2 {
			ch.turn(2+n, "again")
		}
		if got := ch.notices(); len(got) != 1 || !strings.Contains(got[0], "pid 4711") {
			t.Errorf("told %q", got)
		}
	})
}

func TestForeignLine(t *testing.T) {
	for line, want := range map[string]bool{
		`{"type":"user","uuid":"u","entrypoint":"cli"}`:         true,
		`{"type":"assistant","entrypoint":"sdk-cli"}`:           true,
		`{"type":"user","entrypoint":"sdk-go"}`:                 false,
		`{"type":"user"}`:                                       false,
		`{"type":"system","entrypoint":"cli"}`:                  false,
		`{"type":"user","isSidechain":true,"entrypoint":"cli"}`: false,
		`{"type":"assistant","message":{"content":[{"input":{"entrypoint":"cli"}}]},"entrypoint":"sdk-go"}`:   false,
		`{"type":"assistant","message":{"content":[{"text":"\"entrypoint\":\"cli\""}]},"entrypoint":"sdk-go"`: false,
	} {
		if _, got := foreignLine([]byte(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

func TestLivesAsClaude(t *testing.T) {
	if New(Options{}).Archive.Alive(1 << 30) {
		t.Error("a process that is not there lives")
	}
}

package host_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/host"
)

// Work that nobody watches goes on, its questions wait and notify, and it stops at a limit. What does nothing is closed.
func TestUnattended(t *testing.T) {
	told := make(chan string, 10)
	w := newWorld(t, func(o *host.Options) {
		o.Idle, o.NanoAIU = time.Second, 10
		o.Notify = func(_ session.Meta, text string) { told <- text }
	})
	m := w.screen(t)
	m.Start()
	s := draft(t, m)
	must(s.Send(session.Prompt{Text: "work"}))(t)
	turn := w.Agent.Turn(t)
	turn.Emit(session.CreditsReported{NanoAIU: 100}) // with a terminal it counts for nothing
	if err := s.Stored(t.Context()); err != nil {
		t.Fatal(err)
	}
	if on := m.GoesOn(t.Context()); len(on) != 1 || on[0].Meta.ID != s.ID() || !on[0].Turn {
		t.Errorf("%+v", on)
	}
	leave(t, m)
	ask, answered := turn.AskPermission("shell", "ls")
	if got := <-told; got != "asks you" {
		t.Error(got)
	}
	m = w.screen(t)
	s = must(m.Resume(t.Context(), s.ID()))(t)
	if err := s.Answer(ask, session.Answer{Decision: session.Allow}); err != nil {
		t.Error(err)
	}
	<-answered
	leave(t, m)
	for stopped := false; !stopped; { // once the host has seen that the terminal left
		turn.Emit(session.CreditsReported{NanoAIU: 11})
		select {
		case got := <-told:
			if stopped = strings.Contains(got, "credits"); !stopped {
				t.Error(got)
			}
		case <-time.After(5 * time.Millisecond):
		}
	}
	if err := <-w.ended; err != nil { // its turn was stopped, so nothing goes on
		t.Error(err)
	}
	w.ended <- nil
	_, events, err := w.hosted.Read(t.Context(), s.ID())
	if err != nil {
		t.Fatal(err)
	}
	if tr := session.Fold(events); tr.Turns[0].Outcome != session.TurnCancelled || !slices.ContainsFunc(events, func(e session.Event) bool {
		n, is := e.(session.Notice)
		return is && strings.Contains(n.Text, "sessions.unattended_credits")
	}) {
		t.Errorf("%+v", tr.Turns[0])
	}
}

// A prompt that waits for a time is sent then, though no terminal is left, and is not once the session was stopped.
func TestUnattendedUntilATime(t *testing.T) {
	for _, stop := range []bool{false, true} {
		w := newWorld(t, func(o *host.Options) { o.Idle = time.Second })
		m := w.screen(t)
		m.Start()
		s := draft(t, m)
		must(s.Send(session.Prompt{Text: "work"}))(t)
		w.Agent.Turn(t).End(session.TurnCompleted)
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(700 * time.Millisecond)
		if stop {
			at = at.Add(time.Hour)
		}
		must(s.Send(session.Prompt{Text: "later", After: at}))(t)
		if err := s.Stored(t.Context()); err != nil {
			t.Fatal(err)
		}
		if on := m.GoesOn(t.Context()); time.Now().Before(at) && (len(on) != 1 || !on[0].Due || on[0].Busy()) {
			t.Errorf("%+v", on)
		}
		if stop {
			if err := m.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		leave(t, m)
		sent := false
		for over := false; !over; {
			select {
			case err := <-w.ended:
				over = true
				if w.ended <- err; sent == stop || err != nil {
					t.Errorf("stopped: %v, sent: %v, %v", stop, sent, err)
				}
			case <-time.After(5 * time.Millisecond):
			}
			if w.Agent.Pending() > 0 {
				sent = true
				w.Agent.Turn(t).End(session.TurnCompleted)
			}
		}
	}
}

// A host that ends on purpose is not started again by the screens that it had, but by their next prompt.
func TestHostEndsAndStartsAgain(t *testing.T) {
	w := newWorld(t, nil)
	m := w.screen(t)
	s := draft(t, m)
	v := follow(t, s)
	must(s.Send(session.Prompt{Text: "one"}))(t)
	w.Agent.Turn(t).End(session.TurnCompleted)
	v.until(t, "over", over(1))
	if err := s.Stored(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := host.Ask(t.Context(), w.o.Place, "test", "stop", "", nil); err != nil && !strings.Contains(err.Error(), "ended") {
		t.Error(err)
	}
	w.stop()
	v.until(t, "reported", func(tr *session.Transcript) bool {
		return slices.ContainsFunc(tr.Turns, func(turn *session.Turn) bool {
			return slices.ContainsFunc(turn.Entries, func(e session.Entry) bool {
				m, is := e.(*session.Mark)
				if !is {
					return false
				}
				n, is := m.Event.(session.Notice)
				return is && strings.Contains(n.Text, "ended")
			})
		})
	})
	w.start(t)
	must(s.Send(session.Prompt{Text: "two"}))(t)
	w.Agent.Turn(t).End(session.TurnCompleted)
	v.until(t, "over", over(2))
	if v.anew != 1 {
		t.Errorf("replaced %d times", v.anew)
	}
}

// hasModes reports whether the mode of a file says who may use it, and a host listens on a file.
const hasModes = runtime.GOOS != "windows"

// Who may not come in is refused with a reason, and what is no request ends only its connection.
func TestRefused(t *testing.T) {
	w := newWorld(t, nil)
	if i, err := os.Stat(filepath.Join(w.o.Place.Dir, "k-v1.sock")); hasModes && (err != nil || i.Mode().Perm() != 0o600) {
		t.Error(i, err)
	}
	talk := func(lines string) string {
		c, err := host.Connect(t.Context(), w.o.Place)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(wait))
		fmt.Fprint(c, lines)
		in := bufio.NewReader(c)
		var last string
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return last
			}
			if last = line; last[0] == 'R' {
				return last
			}
		}
	}
	hi := fmt.Sprintf("{\"version\":%d}\n", host.Version)
	for lines, want := range map[string]string{
		"{\"version\":99}\n":                                                  "speaks protocol 1, and this parley 99",
		hi + "{\"id\":1,\"do\":\"sing\"}\n":                                   "can't do that",
		hi + "{\"id\":1,\"do\":\"send\"}\n":                                   "has no session",
		hi + "{\"id\":1,\"do\":\"attach\",\"args\":{\"session\":\"../x\"}}\n": "is not the id",
		hi + "{\"id\":1,\"do\":\"attach\",\"args\":{\"session\":\"x\"}}\n":    "not_found",
		hi + "{\"id\":1,\"do\":\"attach\",\"args\":7}\n":                      "one session",
		hi + "\x00\n": "pid", // the greeting is the last line
		"\n":          "",
	} {
		if got := talk(lines); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q", lines, got)
		}
	}
	if hasModes {
		open := shortDir(t)
		if err := os.Chmod(open, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := host.Run(t.Context(), host.Options{Place: host.Place{Dir: open, Key: "k"}}, nil); err == nil || !strings.Contains(err.Error(), "private") {
			t.Error(err)
		}
		if dir, err := host.FindDir("", filepath.Join(open, strings.Repeat("long/", 30))); err != nil || len(dir) > 60 {
			t.Error(dir, err)
		}
	}
	var entries []host.Entry = host.Entries(t.Context(), w.o.Place.Dir)
	if len(entries) != 1 || entries[0].Pid != os.Getpid() || entries[0].Place != w.o.Place {
		t.Errorf("%+v", entries)
	}
	var all []host.Doing
	if err := host.Ask(t.Context(), w.o.Place, "test", "list", struct{}{}, &all); err != nil || len(all) != 0 {
		t.Error(all, err)
	}
	if _, err := json.Marshal(all); err != nil {
		t.Error(err)
	}
}

// A host that takes connections and says nothing, such as a stopped process, is not taken for one that was killed.
func TestSilentHost(t *testing.T) {
	p := host.Place{Dir: shortDir(t), Key: "k"}
	if err := host.Ask(t.Context(), p, "test", "list", struct{}{}, nil); session.KindOf(err) != session.KindNotFound {
		t.Errorf("without a host: %v", err)
	}
	silent, err := host.Listen(p)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second) // enough to connect
	defer cancel()
	if err := host.Ask(ctx, p, "test", "list", struct{}{}, nil); session.KindOf(err) != session.KindStalled {
		t.Errorf("a silent one: %v", err)
	}
}

// The folders of hosts of runs with and without a runtime folder are all found; one that others can enter is none.
func TestDirs(t *testing.T) {
	top := shortDir(t)
	t.Setenv("TMPDIR", filepath.Join(top, "tmp"))
	run, state := filepath.Join(top, "run"), filepath.Join(top, "state")
	if got := host.Dirs(run, state); slices.Contains(got, filepath.Join(run, "parley")) || slices.Contains(got, filepath.Join(state, "host")) {
		t.Errorf("before any: %q", got)
	}
	with, err := host.FindDir(run, state)
	if err != nil {
		t.Fatal(err)
	}
	without, err := host.FindDir("", state)
	if err != nil || without == with {
		t.Fatal(without, err)
	}
	for _, runtime := range []string{run, "/none"} {
		if got := host.Dirs(runtime, state); !slices.Contains(got, without) || slices.Contains(got, with) != (runtime == run) {
			t.Errorf("%s: %q", runtime, got)
		}
	}
	if err := os.Chmod(without, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := host.Dirs(run, state); hasModes && slices.Contains(got, without) || !slices.Contains(got, with) {
		t.Errorf("an open folder: %q", got)
	}
}

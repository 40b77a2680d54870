//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSessionsAreNamedExactly wants nothing to be shown, copied or deleted by a name that could mean any session.
func TestSessionsAreNamedExactly(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "the only one")
	id := string(w.listed()[0].ID)
	for _, args := range [][]string{
		{"sessions", "rm", ""}, {"sessions", "rm", " "}, {"sessions", "rm", "--yes", ""}, {"sessions", "show", ""},
		{"sessions", "export", ""}, {"sessions", "fork", ""}, {"-p", "-r", " words"},
	} {
		if o := w.run(args...); o.code != 2 || !strings.Contains(o.err, "empty") || o.out != "" {
			t.Errorf("%q: %+v", args, o)
		}
	}
	if o := w.run("sessions", "rm", id[:4]); o.code != 2 || !strings.Contains(o.err, id) || !strings.Contains(o.err, "--yes") ||
		!strings.Contains(o.err, "the only one") {
		t.Errorf("rm by a beginning: %+v", o)
	}
	if len(w.listed()) != 1 {
		t.Fatal("a session is gone")
	}
	w.mustRun("sessions", "rm", "--yes", id[:4])
	if left := w.listed(); len(left) != 0 {
		t.Errorf("left %+v", left)
	}
}

// TestRemovalAsksOnATerminal deletes a session by the beginning of its id: no is the default.
func TestRemovalAsksOnATerminal(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "the only one")
	id := string(w.listed()[0].ID)
	for _, tc := range []struct {
		args   []string
		answer string
		code   int
		left   int
	}{{[]string{id[:4]}, "\r", 1, 1}, {[]string{id[:4]}, "nyet\r", 1, 1}, {[]string{id[:4]}, "y\r", 0, 0}} {
		tm := w.start(100, 24, append([]string{"sessions", "rm"}, tc.args...)...)
		tm.shows("the only one")
		tm.shows("y deletes it")
		tm.send(tc.answer)
		if tc.code == 0 {
			tm.shows("Moved to the bin. `parley sessions restore " + id[:8] + "` brings it back.")
		}
		if code := tm.exit(); code != tc.code {
			t.Errorf("%q: exit %d", tc.answer, code)
		}
		if left := w.listed(); len(left) != tc.left {
			t.Errorf("%q: left %+v", tc.answer, left)
		}
	}
	w.mustRun("-p", "another")
	w.mustRun("sessions", "rm", string(w.listed()[0].ID)) // a whole id needs no answer
}

// TestRunsWithoutAnAnswerLeaveNoSession fails in several ways before anything was answered.
func TestRunsWithoutAnAnswerLeaveNoSession(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "a good one")
	for _, prompt := range []string{"quota", "refused login", "bad request"} {
		if o := w.run("-p", prompt); o.code == 0 {
			t.Errorf("%s: %+v", prompt, o)
		}
	}
	if left := w.listed(); len(left) != 1 || left[0].First != "a good one" {
		t.Errorf("left %+v", left)
	}
	if o := w.run("-p", "-c", "quota"); o.code == 0 {
		t.Errorf("%+v", o)
	}
	if left := w.listed(); len(left) != 1 || left[0].Turns != 2 {
		t.Errorf("a run that continues a session takes it along: %+v", left)
	}
}

// TestLinkedJournalIsNamed puts a link in a journal's place: it is neither listed as an empty session nor followed.
func TestLinkedJournalIsNamed(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "the good one")
	good := w.listed()[0]
	dir := filepath.Join(w.home, ".local", "share", "parley", "sessions")
	link := filepath.Join(dir, "linked.jsonl")
	if err := os.Symlink(filepath.Join(dir, string(good.ID)+".jsonl"), link); err != nil {
		t.Fatal(err)
	}
	o := w.run("sessions", "list")
	if o.code != 0 || strings.Contains(o.out, "linked") || !strings.Contains(o.out, "the good one") || !strings.Contains(o.err, link) {
		t.Errorf("list: %+v", o)
	}
	if o := w.run("sessions", "show", "linked"); o.code == 0 || strings.Contains(o.out, "the good one") || !strings.Contains(o.err, link) {
		t.Errorf("show: %+v", o)
	}
	if o := w.run("doctor"); o.code != 1 || !strings.Contains(o.out, link) {
		t.Errorf("doctor: %+v", o)
	}
	tm := w.start(120, 30, "-r")
	tm.shows("Some sessions aren't listed")
}

// TestExposedStoreIsAWarning lets the group write to the sessions.
func TestExposedStoreIsAWarning(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "one")
	dir := filepath.Join(w.home, ".local", "share", "parley", "sessions")
	if o := w.run("doctor"); strings.Contains(o.out, "Other users") {
		t.Errorf("doctor: %+v", o)
	}
	if err := os.Chmod(dir, 0o770); err != nil {
		t.Fatal(err)
	}
	if o := w.run("doctor"); o.code != 1 || !strings.Contains(o.out, "Other users can write to "+dir) || !strings.Contains(o.out, "chmod go-w") {
		t.Errorf("doctor: %+v", o)
	}
	w.start(160, 24).shows("Other users can write")
}

// TestResumeSaysThatNothingMatches looks for words that no session has, and for the first words of one with a title.
func TestResumeSaysThatNothingMatches(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "the only one")
	tm := w.start(100, 30, "-r", "zzzz")
	if s := tm.shows("nothing matches"); strings.Contains(s, "the only one") || !strings.Contains(s, "zzzz") {
		t.Errorf("all is listed:\n%s", s)
	}
}

// TestEscapeLeavesTheListOfSessions starts for the list alone: escape clears what is typed, then leaves.
func TestEscapeLeavesTheListOfSessions(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "the only one")
	tm := w.start(100, 30, "-r", "only")
	tm.shows("1 of 1")
	tm.send("\x1b")
	tm.shows("type to filter")
	tm.send("\x1b")
	if code := tm.exit(); code != 0 {
		t.Errorf("left with %d", code)
	}
	tm.givenBack()
}

// TestSessionsAreFoundAndRenamed finds a session by a word of its answer, and gives it a title.
func TestSessionsAreFoundAndRenamed(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "where is the thermostat?")
	id := strings.Fields(w.mustRun("sessions", "search", "THERMOSTAT", "where"))[0]
	if o := w.run("sessions", "search", "thermostat", "nosuchword"); o.code != 0 || o.out != "" {
		t.Errorf("%+v", o)
	}
	if o := w.run("sessions", "search", " "); o.code != 2 {
		t.Errorf("%+v", o)
	}
	if o := w.run("sessions", "rename", id, "The", "boiler"); o.code != 0 || o.out != "" {
		t.Errorf("%+v", o)
	}
	if o := w.run("sessions", "rename", id, "--json", "The boiler"); o.code != 0 || !strings.Contains(o.out, id) {
		t.Errorf("%+v", o)
	}
	if out := w.mustRun("sessions", "search", "boiler", "--json"); !strings.Contains(out, id) || !strings.Contains(out, `"The boiler"`) {
		t.Errorf("%s", out)
	}
	if o := w.run("sessions", "rename", "nosuch", "x"); o.code != 1 {
		t.Errorf("%+v", o)
	}
}

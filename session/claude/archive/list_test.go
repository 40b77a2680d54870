package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/claude/transcript"
	"parley/session/sources"
)

const (
	idA = session.ID("aaaaaaaa-0000-4000-8000-000000000001")
	idB = session.ID("bbbbbbbb-0000-4000-8000-000000000002")
	idC = session.ID("cccccccc-0000-4000-8000-000000000003")
)

// put writes a session's transcript below a configuration directory.
func put(t testing.TB, config, project string, id session.ID, data string, age time.Duration) string {
	t.Helper()
	path := filepath.Join(config, "projects", project, string(id)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	at := storedAt.Add(-age)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	return path
}

// said returns lines in which the user says something in a directory, one after the other.
func said(dir string, texts ...string) (lines string) {
	parent := "null"
	for i, text := range texts {
		lines += fmt.Sprintf(`{"parentUuid":%s,"uuid":"u%d","timestamp":"2026-01-01T10:00:00Z","cwd":%q,"type":"user","message":{"role":"user","content":%q}}`+"\n", parent, i, dir, text)
		parent = fmt.Sprintf(`"u%d"`, i)
	}
	return lines
}

func TestSessionsOfAllProjects(t *testing.T) {
	config := t.TempDir()
	put(t, config, "-a", idA, said("/a", "old"), time.Hour)
	put(t, config, "-b", idB, said("/b", "new"), 0)
	put(t, config, "-b", idC, `{"type":"last-prompt"}`+"\n", 0)                                                           // nothing said
	put(t, config, "-b", "dddddddd-0000-4000-8000-000000000004", `{"isSidechain":true,"type":"user","uuid":"u"}`+"\n", 0) // of a child
	put(t, config, "-b", "agent-1", said("/b", "no session"), 0)
	put(t, config, "-b", "eeeeeeee-0000-4000-8000-000000000005", "\x00\x01 not JSON\n"+said("/b", "after damage"), 3*time.Hour)
	a := New(config)
	metas, err := a.Sessions(t.Context())
	if err != nil || len(metas) != 3 || metas[0].ID != idB || metas[1].First != "old" || metas[2].First != "after damage" {
		t.Fatalf("%+v, %v", metas, err)
	}
	reads := a.Reads()
	if _, err := a.Sessions(t.Context()); err != nil || a.Reads() != reads {
		t.Errorf("listing again read %d files", a.Reads()-reads)
	}
	put(t, config, "-b", idB, said("/b", "changed"), -time.Second)
	if metas, _ = a.Sessions(t.Context()); metas[0].First != "changed" || a.Reads() != reads+1 {
		t.Errorf("%+v after %d reads", metas[0], a.Reads()-reads)
	}
	if m, err := a.Describe(t.Context(), idA); err != nil || m.First != "old" || a.Reads() != reads+1 {
		t.Errorf("%+v, %v", m, err)
	}
	for id, kind := range map[session.ID]session.Kind{idC: session.KindNotFound, "ffffffff-0000-4000-8000-000000000006": session.KindNotFound, "../x": session.KindInvalid, "": session.KindInvalid} {
		if _, err := a.Describe(t.Context(), id); session.KindOf(err) != kind {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, none := range []string{"", t.TempDir()} {
		if metas, err := New(none).Sessions(t.Context()); err != nil || len(metas) != 0 {
			t.Errorf("without projects: %v %v", metas, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Sessions(ctx); err == nil {
		t.Error("a cancelled listing lists")
	}
}

// TestCopiesOfASession lists each file with an id that several have. Every call is about the file whose row it was given, also while
// others change and go. The id is that of the one with which the user went on last, as it was listed.
func TestCopiesOfASession(t *testing.T) {
	config := t.TempDir()
	paths := map[string]string{
		"left behind":       put(t, config, "-b", idA, said("/b", "left behind"), 3*time.Hour),
		"copied":            put(t, config, "-a", idA, said("/b", "copied"), time.Hour),
		"moved and goes on": put(t, config, "-c", idA, said("/b", "moved and goes on")+said("/c", "later"), 2*time.Hour),
	}
	a := New(config)
	metas, err := a.Sessions(t.Context())
	if err != nil || len(metas) != 3 {
		t.Fatalf("%+v, %v", metas, err)
	}
	byFirst := map[string]session.Meta{}
	for _, m := range metas {
		byFirst[m.First] = m
	}
	if byFirst["moved and goes on"].ID != idA || byFirst["copied"].Dir != "/b" || byFirst["moved and goes on"].Dir != "/c" {
		t.Errorf("%+v", metas)
	}
	for _, known := range []*Archive{New(config), a} {
		if known == a {
			put(t, config, "-b", idA, said("/b", "left behind", "and later"), -time.Hour) // another is the newest one now
		}
		for first, m := range byFirst {
			if (m.ID != idA) != sources.Marked(m.ID) || sources.Raw(m.ID) != idA {
				t.Errorf("%s is called %s", first, m.ID)
			}
			if one, err := known.Describe(t.Context(), m.ID); err != nil || one.First != first || one.ID != m.ID {
				t.Errorf("%s: %+v, %v", m.ID, one, err)
			}
			events, err := known.Replay(t.Context(), m.ID)
			if err != nil || session.Fold(events).Turns[0].Prompt.Text != first || events[0].Header().Session != m.ID {
				t.Errorf("%s: %+v, %v", m.ID, events, err)
			}
			if tail, err := known.Tail(t.Context(), m.ID, 1<<20); err != nil || session.Fold(tail.Events).Turns[0].Prompt.Text != first {
				t.Errorf("%s: %+v, %v", m.ID, tail, err)
			}
			var text string
			_, err = known.Texts(t.Context(), m.ID, session.TextQuery{}, func(x session.Text) bool { text = string(x.Bytes); return false })
			if err != nil || text != first {
				t.Errorf("%s: %q, %v", m.ID, text, err)
			}
			if kept, err := known.Kept(t.Context(), m.ID); err != nil || len(kept) != 1 || kept[0] != paths[first] {
				t.Errorf("%s: %q, %v", m.ID, kept, err)
			}
		}
	}
	if err := a.SetTitle(t.Context(), byFirst["copied"].ID, "Mine"); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(paths["copied"]); err != nil || !strings.Contains(string(data), `"customTitle":"Mine","sessionId":"`+string(idA)+`"`) {
		t.Errorf("%s, %v", data, err)
	}
	if err := a.Remove(t.Context(), byFirst["copied"].ID); err != nil {
		t.Error(err)
	}
	if _, err := a.Replay(t.Context(), byFirst["copied"].ID); session.KindOf(err) != session.KindNotFound {
		t.Errorf("a removed one: %v", err)
	}
	if metas, err := a.Sessions(t.Context()); err != nil || len(metas) != 2 || metas[0].ID != idA || metas[0].First != "left behind" {
		t.Errorf("%+v, %v", metas, err)
	}
	for _, id := range []session.ID{idA + ".at-00000000", idA + ".at-", idA + ".at-0000000g", idA + "x"} {
		if _, err := a.Replay(t.Context(), id); err == nil {
			t.Errorf("%s is one of them", id)
		}
	}
}

// A link to the folder of a project, as of one that moved, makes no copies; one to a folder elsewhere is followed, once.
func TestLinkedProjects(t *testing.T) {
	config, other := t.TempDir(), t.TempDir()
	put(t, config, "-b", idA, said("/b", "here"), 0)
	put(t, other, "-x", idB, said("/x", "elsewhere"), time.Hour)
	for name, to := range map[string]string{"-a": "-b", "-c": filepath.Join(config, "projects", "-b"), "-d": "-d", "-e": "gone", "-x": filepath.Join(other, "projects", "-x"),
		"-y": filepath.Join(other, "projects", "-x"), "-z": "-y"} {
		if err := os.Symlink(to, filepath.Join(config, "projects", name)); err != nil {
			t.Logf("no links here: %v", err)
			return
		}
	}
	a := New(config)
	metas, err := a.Sessions(t.Context())
	if err != nil || len(metas) != 2 || metas[0].ID != idA || metas[1].ID != idB {
		t.Errorf("%+v, %v", metas, err)
	}
	for _, known := range []*Archive{a, New(config)} {
		for _, m := range metas {
			if one, err := known.Describe(t.Context(), m.ID); err != nil || one.First != m.First {
				t.Errorf("%+v, %v", one, err)
			}
		}
	}
}

// A copy that cannot be read hides no other, and is named.
func TestABadCopyHidesNothing(t *testing.T) {
	config := t.TempDir()
	put(t, config, "-a", idA, "garbage\n", 0)
	put(t, config, "-b", idA, said("/b", "fine"), time.Hour)
	path := put(t, config, "-b", idB, said("/b", "vanishes"), 0)
	a := New(config)
	places, err := a.projects.Places(t.Context(), "")
	if err != nil || len(places) != 3 {
		t.Fatalf("%+v, %v", places, err)
	}
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o755)); err != nil { // a folder where a file was
		t.Fatal(err)
	}
	for _, p := range places {
		if _, err := a.projects.Describe(t.Context(), p); (err != nil) != (p.Path == path) {
			t.Errorf("%s: %v", p.Path, err)
		}
	}
	if metas, err := a.Sessions(t.Context()); err != nil || len(metas) != 1 || metas[0].ID != idA || metas[0].First != "fine" {
		t.Errorf("%+v, %v", metas, err)
	}
	if m, err := a.Describe(t.Context(), idA); err != nil || m.First != "fine" {
		t.Errorf("%+v, %v", m, err)
	}
}

// A copy of a copy lies where the runtime finds it.
func TestForkOfACopy(t *testing.T) {
	config := t.TempDir()
	answered := func(first string) string {
		return said("/b", first) + `{"parentUuid":"u0","uuid":"a","cwd":"/b","type":"assistant","message":{"id":"m","model":"claude-x","content":[{"type":"text","text":"yes"}]}}` + "\n"
	}
	put(t, config, "-b", idA, answered("at home"), 0)
	put(t, config, "-a", idA, answered("copied"), 0)
	a := New(config)
	metas, err := a.Sessions(t.Context())
	if err != nil || len(metas) != 2 {
		t.Fatalf("%+v, %v", metas, err)
	}
	for _, m := range metas {
		id, err := a.Fork(t.Context(), m.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		if one, err := a.Describe(t.Context(), id); err != nil || one.First != m.First || sources.Marked(id) {
			t.Errorf("%+v, %v", one, err)
		}
		if _, err := os.Stat(filepath.Join(config, "projects", "-b", string(id)+".jsonl")); err != nil {
			t.Error(err)
		}
	}
}

// Prompts yields what the user wrote in a directory, newest first, and nothing that the runtime wrote as the user.
func TestPrompts(t *testing.T) {
	config, dir := t.TempDir(), t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	id := func(n string) session.ID { return session.ID(strings.Repeat(n, 8) + "-0000-0000-0000-000000000000") }
	here := transcript.Slug(real)
	put(t, config, here, id("a"), said(real, "older", "<command-name>/cost</command-name>", "[Request interrupted by user]", "newer"), time.Hour)
	put(t, config, here, id("b"), said(real, "newest"), 0)
	put(t, config, here, id("c"), said(real, "skipped"), 0)
	put(t, config, here, id("d"), "no transcript\n", 0)
	put(t, config, transcript.Slug("/elsewhere"), id("e"), said("/elsewhere", "elsewhere"), 0)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		link = dir // where there are no links
	}
	a := New(config)
	tell := func(ctx context.Context, dir string, most int) (got []string, err error) {
		err = a.Prompts(ctx, dir, func(s session.ID) bool { return s == id("c") }, func(all []session.PastPrompt) bool {
			for _, p := range all {
				got = append(got, p.Text)
				if !p.At.Equal(time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)) || p.Dir != dir {
					t.Errorf("%+v", p)
				}
			}
			return len(got) < most
		})
		return got, err
	}
	for most, want := range map[int]string{9: "newest newer older", 1: "newest"} {
		if got, err := tell(t.Context(), link, most); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q, %v; want %s", got, err, want)
		}
	}
	if got, err := tell(t.Context(), "/nowhere", 9); got != nil || err != nil {
		t.Errorf("%q, %v of a directory without sessions", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tell(ctx, dir, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("%v after the end", err)
	}
}

//go:build unix

package snapshot

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"parley/internal/repeat"
	"parley/internal/safefs"
)

// killed is the variable of the directory in which a child of the tests restores until it is killed.
const killed = "PARLEY_IMAGE_KILLED"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killed); dir != "" {
		restoreForever(dir)
	}
	os.Exit(m.Run())
}

// cycle is what the child makes the file into, again and again.
func cycle(ctx context.Context, s *Store) (states []State, err error) {
	for i, mode := range []fs.FileMode{0o755, 0o600 | fs.ModeSetuid} {
		st, err := s.Put(ctx, append([]byte{byte(i)}, random(2<<20)...))
		if err != nil {
			return nil, err
		}
		st.Mode = mode
		states = append(states, st)
	}
	return append(states, State{Kind: None}, State{Kind: Link, Target: "target"}), nil
}

func restoreForever(dir string) {
	ctx, s := context.Background(), New(Options{Dir: dir + "/images"})
	states, err := cycle(ctx, s)
	var now State
	if err == nil {
		now, err = s.Look(ctx, dir+"/files/path")
	}
	at := slices.IndexFunc(states, now.Same)
	fmt.Println(at)
	for err == nil && at >= 0 {
		next := (at + 1) % len(states)
		err = s.Restore(ctx, dir+"/files/path", states[at], states[next])
		at = next
	}
	fmt.Fprintln(os.Stderr, at, err)
	os.Exit(1)
}

// A kill at any moment leaves one state or another, whole, and at most a temporary file, which is found and removed.
func TestAKillLeavesOneStateOrTheOther(t *testing.T) {
	rounds, most := repeat.Times(6, 6, 45), 45
	dir := realDir(t)
	must(t, os.Mkdir(dir+"/files", 0o700))
	s := New(Options{Dir: dir + "/images"})
	states, err := cycle(t.Context(), s)
	must(t, err)
	seen, leftovers := map[int]int{}, 0
	for round := 0; round < rounds || round < most && (len(seen) < 2 || leftovers == 0); round++ { // until a kill came in the middle
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), killed+"="+dir)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		must(t, err, child.Start())
		_, err = bufio.NewReader(out).ReadString('\n')
		must(t, err)
		<-time.After(time.Duration(rand.IntN(40_000)) * time.Microsecond) // the moment of the kill
		must(t, child.Process.Kill())
		if err := child.Wait(); err == nil || child.ProcessState.Exited() {
			t.Fatalf("the child ended before it was killed: %v", err)
		}
		got, err := s.Look(t.Context(), dir+"/files/path")
		must(t, err)
		at := slices.IndexFunc(states, got.Same)
		if at < 0 {
			t.Fatalf("after a kill: %+v", got)
		}
		seen[at]++
		for _, name := range entries(t, dir+"/files") {
			if name != "path" && !safefs.IsTemporary(name) {
				t.Errorf("a kill left %q", name)
			}
		}
		removed, err := Leftovers(t.Context(), dir+"/files", time.Now())
		must(t, err)
		leftovers += len(removed)
		if left := entries(t, dir+"/files"); len(left) > 1 || len(left) == 1 && left[0] != "path" {
			t.Errorf("%q", left)
		}
	}
	t.Logf("the rounds ended in the states %v with %d leftovers", seen, leftovers)
	if len(seen) < 2 || leftovers == 0 {
		t.Error("no kill came in the middle")
	}
	if images, rest := files(t, s); images != 2 || rest > most {
		t.Errorf("%d images, %d others", images, rest)
	}
}

// What a user calls similarly, what is new and what is not a file stay.
func TestLeftoversRemovesOnlyItsOwn(t *testing.T) {
	dir := realDir(t)
	old, now := time.Now().Add(-time.Hour), time.Now()
	keep := []string{".parley-settings", ".parley-" + safefs.Temporary()[8:33], "x" + safefs.Temporary(), "file"}
	for _, name := range keep {
		write(t, filepath.Join(dir, name), "user", 0o644)
		must(t, os.Chtimes(filepath.Join(dir, name), old, old))
	}
	directory, fresh, link, file := safefs.Temporary(), safefs.Temporary(), safefs.Temporary(), safefs.Temporary()
	must(t, os.Mkdir(filepath.Join(dir, directory), 0o755), os.Chtimes(filepath.Join(dir, directory), old, old))
	must(t, os.Symlink("file", filepath.Join(dir, link)))
	write(t, filepath.Join(dir, file), "old", 0o600)
	write(t, filepath.Join(dir, fresh), "new", 0o600)
	must(t, os.Chtimes(filepath.Join(dir, fresh), now.Add(time.Hour), now.Add(time.Hour)))
	removed, err := Leftovers(t.Context(), dir, now.Add(time.Minute))
	slices.Sort(removed)
	want := []string{link, file}
	slices.Sort(want)
	if err != nil || !slices.Equal(removed, want) {
		t.Errorf("removed %q, %v", removed, err)
	}
	want = append(keep, directory, fresh)
	slices.Sort(want)
	if left := entries(t, dir); !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
	must(t, os.Symlink(dir, dir+"/into"))
	for _, path := range []string{dir + "/none", dir + "/into", dir + "/file", dir + "/file/none"} {
		if removed, err := Leftovers(t.Context(), path, now.Add(2*time.Hour)); removed != nil || err != nil {
			t.Errorf("%s: %q, %v", path, removed, err)
		}
	}
}

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// The first frame reads no skill of 500, and not even their folder. The commands that they are appear once a slash is typed.
func TestSkillsAreReadAfterTheFirstFrame(t *testing.T) {
	t.Parallel()
	w := newWorldApart(t).signIn(slowly)
	watch, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(watch)
	top := filepath.Join(w.home, ".claude", "skills")
	for i := range 500 {
		dir := filepath.Join(top, fmt.Sprintf("skill-%d", i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte("---\ndescription: one of many\n---\nDo it.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := syscall.InotifyAddWatch(watch, dir, syscall.IN_OPEN); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := syscall.InotifyAddWatch(watch, top, syscall.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	opened := func() bool {
		n, _ := syscall.Read(watch, make([]byte, 64<<10))
		return n > 0
	}
	tm := w.start(100, 24)
	tm.shows("asks before it acts")
	if opened() {
		t.Error("skills were read before the first frame")
	}
	tm.send("/skill-49")
	tm.shows("one of many")
	if !opened() {
		t.Error("nothing was read, or nothing is watched")
	}
	tm.send("\x15/quit\r")
	tm.exit()
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"parley/session/proc"
	"parley/ui/clipboard"
)

// shell returns what runs a command line of the user's own, typed behind an exclamation mark: their shell, with their
// environment, as a child that does not outlive parley. Nil if this program starts no processes.
func (s *services) shell(environ []string) func(ctx context.Context, dir, line string, wrote func([]byte)) (int, error) {
	if s.processes == nil {
		return nil
	}
	return func(ctx context.Context, dir, line string, wrote func([]byte)) (int, error) {
		child, err := s.processes.Start(ctx, proc.Command{Argv: shellArgv(environ, line), Dir: dir, Env: environ, Merge: true,
			NoInput: true, Label: "shell"})
		if err != nil {
			return -1, err
		}
		stopped := context.AfterFunc(ctx, func() { _ = child.Kill() })
		defer stopped()
		read := make(chan struct{})
		go func() {
			defer close(read)
			buf := make([]byte, 32<<10)
			for {
				n, err := child.Stdout().Read(buf)
				wrote(buf[:n])
				if err != nil {
					return
				}
			}
		}()
		<-child.Done()
		select {
		case <-read:
		case <-time.After(lingering): // something in the background keeps the output open
		case <-ctx.Done():
		}
		_ = child.Stdout().Close()
		<-read
		return child.Exit().Code, ctx.Err()
	}
}

// lingering is how long the output of a command is read after the command has ended.
const lingering = 300 * time.Millisecond

// shellArgv is how the user's shell runs a line.
func shellArgv(environ []string, line string) []string {
	env := func(name string) string {
		for i := len(environ) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
	if runtime.GOOS == "windows" {
		return []string{cmp.Or(env("COMSPEC"), "cmd.exe"), "/d", "/c", line}
	}
	return []string{cmp.Or(env("SHELL"), "/bin/sh"), "-c", line}
}

// pasteImage returns the image on the clipboard.
func pasteImage(ctx context.Context) ([]byte, error) {
	img, err := clipboard.New(clipboard.ThisMachine()).PasteImage(ctx)
	if errors.Is(err, clipboard.ErrNothing) {
		return nil, errors.New("no image on a clipboard within reach; drop its file instead")
	}
	return img.Data, err
}

// imagesStay is how long images from the clipboard are kept for drafts and the history.
const imagesStay = 14 * 24 * time.Hour

// forgetImages removes old images from the clipboard, in the background.
func forgetImages(dir string, now time.Time) {
	go func() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > imagesStay {
				_ = os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}()
}

package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"parley/session/copilot/copilottest"
	"parley/session/proc"
)

// asCopilot makes the test binary a simulated Copilot runtime. It names the file into which that writes what it got.
const asCopilot = "PARLEY_TEST_COPILOT"

// playCopilot is the simulated Copilot runtime, if the test binary is to be it. It writes down its arguments, its environment
// and how its sessions were opened, and answers every prompt.
func playCopilot() {
	notes := os.Getenv(asCopilot)
	if notes == "" {
		return
	}
	r := &copilottest.Runtime{}
	r.Turn = func(a *copilottest.Actor, prompt string) {
		text := strings.Join(append(os.Args[1:], os.Environ()...), "\n") + "\n"
		for _, method := range []string{"connect", "session.create", "session.resume"} {
			for _, m := range r.Requests(method) {
				text += fmt.Sprintf("%s %s\n", method, m.Params)
			}
		}
		if err := os.WriteFile(notes, []byte(text), 0o600); err != nil {
			a.Say(err.Error())
			return
		}
		a.Say("Copilot read: " + prompt)
	}
	p := copilottest.Start(r.Play, proc.Command{Argv: os.Args, Env: os.Environ()})
	go func() {
		_, _ = io.Copy(p.Stdin(), os.Stdin)
		_ = p.Stdin().Close()
	}()
	go func() { _, _ = io.Copy(os.Stderr, p.Stderr()) }()
	_, _ = io.Copy(os.Stdout, p.Stdout())
	<-p.Done()
	os.Exit(p.Exit().Code)
}

// standInCopilot makes parley use the simulated Copilot runtime, and returns the file with what that got.
func (w *world) standInCopilot() (notes string) {
	w.t.Helper()
	dir := filepath.Join(w.home, "runtime")
	notes = filepath.Join(dir, "notes")
	line := fmt.Sprintf("#!/bin/sh\nunset %s\n%s=%s exec %s \"$@\"\n", asParley, asCopilot, notes, os.Args[0])
	for name, text := range map[string]string{
		"copilot":      line,
		"package.json": `{"name":"@github/copilot-linux-x64","version":"1.0.102"}`,
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			w.t.Fatal(err)
		}
	}
	w.env = append(w.env, "PARLEY_COPILOT_PATH="+dir)
	return notes
}

package cli

import (
	"context"
	"errors"
	"sync"

	"parley/session"
	"parley/session/claude"
	"parley/session/copilot"
	"parley/session/runtimes"
	"parley/ui/core"
)

// heldRuntimes are runtimes of which those in use cannot be removed by another parley.
type heldRuntimes struct {
	*runtimes.Runtimes
	by string // what other programs read about this one

	mu       sync.Mutex
	held     map[string]bool // by path
	releases []func()
}

// claude returns the Claude Code runtime to start a process with, and holds it.
func (h *heldRuntimes) claude(ctx context.Context) (claude.Program, error) {
	found, err := h.start(ctx, "claude")
	return claude.Program{Argv: found.Argv, Version: found.Version}, err
}

// copilot returns the Copilot runtime to start a process with, and holds it.
func (h *heldRuntimes) copilot(ctx context.Context) (copilot.Program, error) {
	found, err := h.start(ctx, "copilot")
	return copilot.Program{Argv: found.Argv, Version: found.Version}, err
}

// start finds a runtime to start a process with, and holds it.
func (h *heldRuntimes) start(ctx context.Context, name string) (runtimes.Found, error) {
	op := "start " + runtimes.Title(name)
	found, err := h.Resolve(ctx, name)
	if err == nil {
		err = h.hold(ctx, found.Runtime)
	}
	if err != nil {
		return runtimes.Found{}, runtimeProblem(op, err)
	}
	return found, nil
}

// hold holds a runtime until release. It may have to wait for another parley, so no lock is held meanwhile: two calls at once
// may both hold it, which does no harm.
func (h *heldRuntimes) hold(ctx context.Context, rt runtimes.Runtime) error {
	h.mu.Lock()
	held := h.held[rt.Path]
	h.mu.Unlock()
	if held {
		return nil
	}
	release, err := h.Hold(ctx, rt, h.by)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held == nil {
		h.held = map[string]bool{}
	}
	h.held[rt.Path] = true
	h.releases = append(h.releases, release)
	return nil
}

// release lets all go.
func (h *heldRuntimes) release() {
	h.mu.Lock()
	releases := h.releases
	h.releases = nil
	h.mu.Unlock()
	for _, release := range releases {
		release()
	}
}

// offer describes the installation of a runtime for the screen.
func (h *heldRuntimes) offer(name, title string) *core.RuntimeOffer {
	return &core.RuntimeOffer{Name: name, Title: title, Bytes: h.DownloadSize(name, ""),
		Install: func(ctx context.Context, progress func(core.InstallProgress)) error {
			_, err := h.Install(ctx, name, "", func(p runtimes.Progress) {
				progress(core.InstallProgress{Stage: installStages[p.Stage], Done: p.Done, Total: p.Total, PerSecond: p.PerSecond, Left: p.Left})
			})
			if err != nil {
				return runtimeProblem("install "+name, err)
			}
			return nil
		}}
}

// installStages names the stages of an installation.
var installStages = map[runtimes.Stage]string{
	runtimes.StageWaiting:     "waiting for another parley",
	runtimes.StageAsking:      "asking npm",
	runtimes.StageDownloading: "downloading",
	runtimes.StageUnpacking:   "unpacking",
	runtimes.StageDone:        "checking",
}

// runtimeProblem returns an error about a runtime as one of package session.
func runtimeProblem(op string, err error) error {
	if errors.Is(err, context.Canceled) {
		return &session.Error{Op: op, Kind: session.KindCancelled, Err: err}
	}
	return &session.Error{Op: op, Kind: session.KindRuntime, Err: err}
}

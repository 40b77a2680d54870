package cli

import (
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"

	"parley/config"
	"parley/internal/cli/command"
)

// openLog returns the program's log and sends to the same file what libraries print through package log: a line on stdout or
// stderr would tear the screen. Without an explicit file, a log that cannot be opened is given up silently.
func openLog(cfg *config.Config, paths config.Paths, closing *closers) (*slog.Logger, error) {
	name := cfg.LogFile
	if name == "" {
		name = paths.LogFile()
	}
	redirectStandardLog(io.Discard, closing)
	if cfg.LogFile == "" && paths.State == "" {
		return slog.New(slog.DiscardHandler), nil // nowhere to put it
	}
	if cfg.LogFile == "" && !cfg.Verbose {
		// Opened at the first warning: most runs log nothing, and the first frame should not wait for a disk.
		lazy := &lazyFile{name: name}
		closing.add(lazy.Close)
		redirectStandardLog(lazy, closing)
		return slog.New(slog.NewTextHandler(lazy, &slog.HandlerOptions{Level: slog.LevelWarn})), nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, command.Usagef("open log file: %w", err)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, command.Usagef("open log file: %w", err)
	}
	closing.add(func() { f.Close() })
	level := slog.LevelInfo
	if cfg.Verbose {
		level = slog.LevelDebug
	}
	redirectStandardLog(f, closing)
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})), nil
}

func redirectStandardLog(w io.Writer, closing *closers) {
	old := log.Writer()
	log.SetOutput(w)
	closing.add(func() { log.SetOutput(old) })
}

// lazyFile is a log file that is created with its first line. Losing a log line must never stop the program, so writing
// always reports success.
type lazyFile struct {
	name   string
	f      *os.File
	failed bool
}

// Write appends p; slog and log serialise their calls.
func (l *lazyFile) Write(p []byte) (int, error) {
	if l.f == nil && !l.failed {
		os.MkdirAll(filepath.Dir(l.name), 0o700)
		f, err := os.OpenFile(l.name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		l.f, l.failed = f, err != nil
	}
	if l.f != nil && !l.failed {
		l.f.Write(p)
	}
	return len(p), nil
}

// Close closes the file if there is one.
func (l *lazyFile) Close() {
	if l.f != nil {
		l.f.Close()
	}
}

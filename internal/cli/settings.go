package cli

import (
	"errors"
	"strings"

	"parley/config"
	"parley/session"
	"parley/ui/style"
)

// settings are those of the configuration file, as the chat changes them.
type settings struct {
	cfg    *config.Config
	writer config.Writer
	home   string
}

func settingsOf(a *app) *settings {
	return &settings{cfg: a.cfg, writer: config.Writer{File: a.file, Lock: a.paths.FileLock()}, home: a.getenv("HOME")}
}

// Set writes a setting into the file, see [core.Settings].
func (s *settings) Set(key, value string) (over string, err error) {
	if key == "permission_mode" && session.Mode(value) == session.ModeBypass {
		return "", errors.New("bypassPermissions can't be a default. Use --permission-mode bypassPermissions, or /mode in the chat")
	}
	if err := s.writer.Set(key, value); err != nil {
		var own *config.Error
		if errors.As(err, &own) {
			shown := *own
			shown.Where = style.ShortPath(own.Where, s.home)
			err = &shown
		}
		return "", err
	}
	if source := s.cfg.SourceOf(key); !s.inFile(source) && source != "default" {
		return source, nil
	}
	return "", nil
}

// inFile reports whether a source is a line of the file.
func (s *settings) inFile(source string) bool { return strings.HasPrefix(source, s.writer.File+":") }

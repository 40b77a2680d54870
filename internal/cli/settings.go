package cli

import (
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"parley/config"
	"parley/internal/human"
	"parley/session"
	"parley/ui/core"
	"parley/ui/style"
)

// settings are those of the configuration file, as the chat changes them.
type settings struct {
	cfg    *config.Config
	writer config.Writer
	home   string

	writing sync.Mutex // held while a change is written, so that they are written one after another
	mu      sync.Mutex // for what follows
	newest  map[string]int
	changed map[string]string // by key; "" for the default
}

// counted returns how many objects a list has, "" for none.
func counted(n int) string {
	if n == 0 {
		return ""
	}
	return human.Number(n) + " set"
}

func settingsOf(a *app) *settings {
	return &settings{cfg: a.cfg, writer: config.Writer{File: a.file, Lock: a.paths.FileLock()}, home: a.getenv("HOME"),
		newest: map[string]int{}, changed: map[string]string{}}
}

// Path returns the configuration file.
func (s *settings) Path() string { return s.writer.File }

// All returns all settings with the changes that were begun, see [core.Settings].
func (s *settings) All() []core.Setting {
	s.mu.Lock()
	changed := maps.Clone(s.changed)
	s.mu.Unlock()
	var all []core.Setting
	for _, v := range s.cfg.Values {
		one := core.Setting{Key: v.Key.Name, Value: written(v.Value), Source: s.source(v.Source)}
		switch {
		case v.Key.Type == config.Bool:
			one.Values = []string{"on", "off"}
		case v.Key.Name == "permission_mode":
			one.Values = v.Key.Values[:len(v.Key.Values)-1] // the last is a flag only
		default:
			one.Values = v.Key.Values
		}
		if now, is := changed[one.Key]; is && !one.Fixed() {
			one.Value, one.Source = now, "file"
			if now == "" {
				one.Value, one.Source = written(v.Key.Default), "default"
			}
		}
		all = append(all, one)
	}
	return all
}

// written returns a value as it is written in the environment. Lists of objects are not: they are counted.
func written(value any) string {
	switch v := value.(type) {
	case bool:
		return map[bool]string{true: "on", false: "off"}[v]
	case string:
		return v
	case []string:
		return strings.Join(v, ", ")
	case int, time.Duration:
		return config.Value{Value: v}.YAML()
	case []config.Binding:
		return counted(len(v))
	case []config.LanguageServer:
		return counted(len(v))
	}
	return ""
}

// source returns what sets a value: "file" for a line of the file.
func (s *settings) source(source string) string {
	if strings.HasPrefix(source, s.writer.File+":") {
		return "file"
	}
	return source
}

// Set writes a setting into the file, see [core.Settings].
func (s *settings) Set(key, value string) (over string, err error) { return s.Begin(key, value)() }

// Begin begins to change a setting in the file, see [core.Settings].
func (s *settings) Begin(key, value string) (write func() (over string, err error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest[key]++
	mine := s.newest[key]
	before, had := s.changed[key]
	s.changed[key] = value
	return func() (string, error) {
		s.writing.Lock()
		defer s.writing.Unlock()
		s.mu.Lock()
		late := s.newest[key] != mine
		s.mu.Unlock()
		if late {
			return "", nil
		}
		err := s.store(key, value)
		if err == nil {
			if over := s.source(s.cfg.SourceOf(key)); over != "file" && over != "default" {
				return over, nil
			}
			return "", nil
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.newest[key] == mine {
			if s.changed[key] = before; !had {
				delete(s.changed, key)
			}
		}
		return "", err
	}
}

// store writes a setting into the file.
func (s *settings) store(key, value string) error {
	if key == "permission_mode" && session.Mode(value) == session.ModeBypass {
		return errors.New("bypassPermissions can't be a default. Use --permission-mode bypassPermissions, or /mode in the chat")
	}
	err := s.writer.Set(key, value)
	if own, is := errors.AsType[*config.Error](err); is {
		shown := *own
		shown.Where = style.ShortPath(own.Where, s.home)
		return &shown
	}
	return err
}

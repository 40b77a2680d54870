package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Type is the type of a key's value.
type Type string

// The types of values.
const (
	String   Type = "string"
	Bool     Type = "boolean"
	Int      Type = "integer"
	Duration Type = "duration" // such as "90s" or "5m"
	Strings  Type = "strings"  // a list of strings
	Bindings Type = "bindings" // a list of objects with a key and an action, see [Binding]
	Servers  Type = "servers"  // a list of objects about language servers, see [LanguageServer]
)

// Key declares one configuration key.
type Key struct {
	// Name is the key's path in the file, sections separated by dots, lower case with underscores.
	Name string
	Type Type
	// Default is a string, bool, int, time.Duration, []string, []Binding or []LanguageServer, as Type says.
	Default any
	// Doc describes the key in one or two sentences.
	Doc string
	// Values are the permitted values, nil for any.
	Values []string
	// Flag is the flag that sets the key, "" for none.
	Flag string
	// check refuses meaningless values of the right type; nil accepts all.
	check func(v any) error
}

// Env is the environment variable that mirrors the key.
func (k Key) Env() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(k.Name, ".", "_"))
}

const envPrefix = "PARLEY_"

// keyByName returns the key of that name, false if there is none.
func keyByName(name string) (Key, bool) {
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return Keys[i], true
}

// parse reads a value of the key from the text of an environment variable. Lists are separated as in PATH.
func (k Key) parse(s string) (any, error) {
	switch k.Type {
	case Bool:
		switch strings.ToLower(s) {
		case "1", "true", "yes", "on":
			return true, nil
		case "0", "false", "no", "off", "":
			return false, nil
		}
		return nil, fmt.Errorf("%q is neither true nor false", s)
	case Int:
		n, err := strconv.Atoi(s)
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number", s)
		}
		return n, k.validate(n)
	case Duration:
		d, err := time.ParseDuration(s)
		if err != nil {
			return nil, fmt.Errorf("%q is not a duration such as 90s or 5m", s)
		}
		return d, k.validate(d)
	case Strings:
		if s == "" {
			return []string(nil), nil
		}
		list := strings.Split(s, listSeparator)
		return list, k.validate(list)
	case Bindings:
		return parseBindings(s, k.Env())
	case Servers:
		return parseServers(s)
	default:
		return s, k.validate(s)
	}
}

// validate returns an error for a value that is not permitted. The error lists the values that are.
func (k Key) validate(v any) error {
	if s, ok := v.(string); ok && k.Values != nil && !slices.Contains(k.Values, s) {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(k.Values, ", "))
	}
	if k.check != nil {
		return k.check(v)
	}
	return nil
}

package config

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/viper"

	"parley/internal/nearest"
)

// Load reads the configuration. All mistakes in the file are reported together, as joined [*Error] values.
func Load(s Source) (*Config, error) {
	v := viper.New()
	for _, k := range Keys {
		v.SetDefault(k.Name, k.Default)
	}
	file, err := readFile(s)
	if err != nil {
		return nil, err
	}
	environ, warnings, err := readEnviron(s.Environ)
	if err != nil {
		return nil, err
	}
	// The environment is a layer over the file and not bound, because viper binds the environment of the process alone.
	for _, l := range []layer{file, environ} {
		if err := v.MergeConfigMap(l.values); err != nil {
			return nil, err
		}
	}
	flags, err := bindFlags(v, s)
	if err != nil {
		return nil, err
	}
	c := &Config{Warnings: warnings}
	if err := v.Unmarshal(c); err != nil {
		return nil, err
	}
	for _, k := range Keys {
		source := "default"
		for _, l := range []layer{file, environ, flags} {
			if where := l.where[k.Name]; where != "" {
				source = where
			}
		}
		value := v.Get(k.Name)
		if err := k.validate(value); err != nil {
			return nil, &Error{Where: source, Err: err}
		}
		c.Values = append(c.Values, Value{k, value, source})
	}
	return c, nil
}

// layer holds what one source sets. Both maps have the names of keys, with their dots.
type layer struct {
	values map[string]any
	where  map[string]string // as [Value.Source] has it
}

func newLayer() layer { return layer{map[string]any{}, map[string]string{}} }

func (l layer) set(name string, value any, where string) {
	l.values[name], l.where[name] = value, where
}

// readFile reads and checks the configuration file. Its values have the types of their keys: decoded by viper, an
// unquoted 1.50 in a list of strings would become "1.5".
func readFile(s Source) (layer, error) {
	l := newLayer()
	if s.File == "" {
		return l, nil
	}
	data, err := os.ReadFile(s.File)
	if os.IsNotExist(err) && !s.Explicit {
		return l, nil
	}
	if err != nil {
		return l, &Error{Where: s.File, Err: err}
	}
	entries, err := checkFile(s.File, data)
	for _, e := range entries {
		l.set(e.key.Name, e.value, fmt.Sprintf("%s:%d", s.File, e.line))
	}
	return l, err
}

// readEnviron reads the PARLEY_ variables. It returns a warning for each one that mirrors no key, sorted.
func readEnviron(environ []string) (l layer, warnings []string, err error) {
	l = newLayer()
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, envPrefix) {
			continue
		}
		i := slices.IndexFunc(Keys, func(k Key) bool { return k.Env() == name })
		if i < 0 {
			warnings = append(warnings, unknownEnv(name))
			continue
		}
		value, err := Keys[i].parse(text)
		if err != nil {
			return l, nil, &Error{Where: name, Err: err}
		}
		l.set(Keys[i].Name, value, name)
	}
	slices.Sort(warnings)
	return l, warnings, nil
}

func unknownEnv(name string) string {
	var names []string // without the prefix, which they have in common
	for _, k := range Keys {
		names = append(names, strings.TrimPrefix(k.Env(), envPrefix))
	}
	if near := nearest.Of(strings.TrimPrefix(name, envPrefix), names); near != "" {
		return fmt.Sprintf("%s is not a parley setting; did you mean %s?", name, envPrefix+near)
	}
	return fmt.Sprintf("%s is not a parley setting", name)
}

// bindFlags binds the flags of the keys. The layer it returns has no values: viper reads them from the flags.
func bindFlags(v *viper.Viper, s Source) (layer, error) {
	l := newLayer()
	if s.Flags == nil {
		return l, nil
	}
	for _, k := range Keys {
		f := s.Flags.Lookup(k.Flag)
		if k.Flag == "" || f == nil {
			continue
		}
		if err := v.BindPFlag(k.Name, f); err != nil {
			return l, err
		}
		if f.Changed {
			l.where[k.Name] = "--" + k.Flag
		}
	}
	return l, nil
}

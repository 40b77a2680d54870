package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// Config is the effective configuration. The fields are the keys of the same names; see [Keys] for what they mean.
type Config struct {
	Agent          string
	Model          string
	Effort         string
	PermissionMode string
	AddDirs        []string
	Screen         string
	Theme          string
	UI             UI
	Editor         string
	LogFile        string
	Verbose        bool
	GitHubHost     string
	GitHub         GitHub
	GitHubAPIURL   string
	CopilotAPIURL  string
	API            API
	Proxy          Proxy
	Claude         Claude
	Tools          Tools

	// Values are the effective values of all keys with their sources, in the order of [Keys].
	Values []Value
	// Warnings are complaints that do not stop the program, such as unknown PARLEY_ variables.
	Warnings []string
}

// GitHub is how this program signs in by itself.
type GitHub struct {
	// ClientID is the OAuth app of a sign-in with a code; empty: there is none.
	ClientID string
}

// API configures the requests to the Copilot API.
type API struct {
	// IntegrationID, EditorVersion and APIVersion are headers; empty: the defaults of parley.
	IntegrationID, EditorVersion, APIVersion string
	// CAFile is a PEM file with further certificate authorities; empty: none.
	CAFile string
	// StallAfter is how long the service may be silent before a request is given up.
	StallAfter time.Duration
}

// Proxy configures `parley proxy`.
type Proxy struct {
	Addr       string
	MaxBodyMiB int
	// Coalesce is how long events may wait to be joined; 0: not at all.
	Coalesce time.Duration
	// BearerFiles hold the secrets of fixed bearers, AccessLog is a file or "-".
	BearerFiles []string
	AccessLog   string
	// RepairOff are rules of the repair that do not run. SystemMessages is "fold" or "refuse", ImageURLs "note" or
	// "refuse". Betas are families to let through besides the known ones.
	RepairOff                 []string
	SystemMessages, ImageURLs string
	Betas                     []string
}

// UI configures how the screen suits its terminal and its user. The values are those of the keys.
type UI struct {
	// Keys is "emacs" or "vim". EnterSteers lets enter send into the running turn.
	Keys        string
	EnterSteers bool
	// Bindings are keys of the user's own. Whether there are such keys and actions is not known here.
	Bindings                                  []Binding
	Colors, Charset, Motion, Notify, Progress string
	NotifyAfter                               time.Duration
	Title                                     bool
	// Mouse takes the mouse; CopyOnSelect copies what it selects at once.
	Mouse, CopyOnSelect bool
}

// Claude configures the Claude Code runtime.
type Claude struct {
	// Path is a program, a cli.js or a package's directory; empty: found by itself. Version is exact or "latest"; empty: any.
	Path, Version string
	// ConfigDir is the runtime's own directory; empty: its default.
	ConfigDir string
	// HookEvents asks the runtime to report what its hooks do.
	HookEvents bool
}

// Tools configures what runs for agents.
type Tools struct {
	// BashTimeout and MaxRounds are the builtin agent's.
	BashTimeout time.Duration
	MaxRounds   int
	// PassEnv names the variables that reach what runs for any agent although they may hold a GitHub token.
	PassEnv []string
}

// Value is the effective value of a key.
type Value struct {
	Key   Key
	Value any
	// Source is "default", "FILE:LINE", the name of an environment variable, or a flag.
	Source string
}

// Source is where [Load] finds things.
type Source struct {
	// File is the configuration file; a missing one is fine unless Explicit.
	File     string
	Explicit bool
	// Environ is the environment as "NAME=value" entries.
	Environ []string
	// Flags are the parsed flags; those that were set win over everything. May be nil.
	Flags *pflag.FlagSet
}

// Error is a configuration error that the user can mend. It is a usage error.
type Error struct {
	// Where is "FILE:LINE", an environment variable or a flag.
	Where string
	// Key is the key concerned, "" if none.
	Key string
	Err error
}

// Error names the place, the key and the reason.
func (e *Error) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("%s: %v", e.Where, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Where, e.Key, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Load reads the configuration. All mistakes in the file are reported together, as joined [*Error] values.
func Load(s Source) (*Config, error) {
	v := viper.New()
	for _, k := range Keys {
		v.SetDefault(k.Name, k.Default)
	}
	sources := make(map[string]string, len(Keys))
	if err := loadFile(v, s, sources); err != nil {
		return nil, err
	}
	warnings, err := loadEnv(v, s.Environ, sources)
	if err != nil {
		return nil, err
	}
	if err := loadFlags(v, s.Flags, sources); err != nil {
		return nil, err
	}
	c := fill(v)
	c.Warnings = warnings
	for _, k := range Keys {
		source := sources[k.Name]
		if source == "" {
			source = "default"
		}
		c.Values = append(c.Values, Value{k, k.get(v), source})
	}
	return c, nil
}

// SourceOf says where the value of a key comes from, as [Value] does; "" if there is no such key.
func (c *Config) SourceOf(name string) string {
	for _, v := range c.Values {
		if v.Key.Name == name {
			return v.Source
		}
	}
	return ""
}

func loadFile(v *viper.Viper, s Source, sources map[string]string) error {
	if s.File == "" {
		return nil
	}
	data, err := os.ReadFile(s.File)
	if os.IsNotExist(err) && !s.Explicit {
		return nil
	}
	if err != nil {
		return &Error{Where: s.File, Err: err}
	}
	entries, err := checkFile(s.File, data)
	if err != nil {
		return err
	}
	// Keys are handed over one by one, already typed: viper's own decoding would guess types from YAML again.
	values := map[string]any{}
	for _, e := range entries {
		nest(values, strings.Split(e.key.Name, "."), e.value)
		sources[e.key.Name] = fmt.Sprintf("%s:%d", s.File, e.line)
	}
	return v.MergeConfigMap(values)
}

func nest(m map[string]any, path []string, value any) {
	for _, p := range path[:len(path)-1] {
		next, ok := m[p].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[p] = next
		}
		m = next
	}
	m[path[len(path)-1]] = value
}

func loadEnv(v *viper.Viper, environ []string, sources map[string]string) (warnings []string, err error) {
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
			return nil, &Error{Where: name, Err: err}
		}
		v.Set(Keys[i].Name, value)
		sources[Keys[i].Name] = name
	}
	slices.Sort(warnings)
	return warnings, nil
}

func unknownEnv(name string) string {
	var names []string // without the prefix, which they have in common
	for _, k := range Keys {
		names = append(names, strings.TrimPrefix(k.Env(), envPrefix))
	}
	if near := nearest(strings.TrimPrefix(name, envPrefix), names); near != "" {
		return fmt.Sprintf("%s is not a setting of parley; did you mean %s?", name, envPrefix+near)
	}
	return fmt.Sprintf("%s is not a setting of parley", name)
}

func loadFlags(v *viper.Viper, flags *pflag.FlagSet, sources map[string]string) error {
	if flags == nil {
		return nil
	}
	for _, k := range Keys {
		f := flags.Lookup(k.Flag)
		if k.Flag == "" || f == nil || !f.Changed {
			continue
		}
		var value any
		var err error
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = list.GetSlice()
		} else {
			value, err = k.parse(f.Value.String())
		}
		if err != nil {
			return &Error{Where: "--" + k.Flag, Err: err}
		}
		v.Set(k.Name, value)
		sources[k.Name] = "--" + k.Flag
	}
	return nil
}

func (k Key) get(v *viper.Viper) any {
	switch k.Type {
	case Bool:
		return v.GetBool(k.Name)
	case Int:
		return v.GetInt(k.Name)
	case Duration:
		return v.GetDuration(k.Name)
	case Strings:
		return v.GetStringSlice(k.Name)
	case Bindings:
		return bindingsOf(v)
	default:
		return v.GetString(k.Name)
	}
}

func fill(v *viper.Viper) *Config {
	return &Config{
		Agent:          v.GetString("agent"),
		Model:          v.GetString("model"),
		Effort:         v.GetString("effort"),
		PermissionMode: v.GetString("permission_mode"),
		AddDirs:        v.GetStringSlice("add_dirs"),
		Screen:         v.GetString("screen"),
		Theme:          v.GetString("theme"),
		UI: UI{
			Keys: v.GetString("ui.keys"), EnterSteers: v.GetBool("ui.enter_steers"), Bindings: bindingsOf(v),
			Colors: v.GetString("ui.colors"), Charset: v.GetString("ui.charset"), Motion: v.GetString("ui.motion"),
			Notify: v.GetString("ui.notify"), NotifyAfter: v.GetDuration("ui.notify_after"),
			Title: v.GetBool("ui.title"), Progress: v.GetString("ui.progress"),
			Mouse: v.GetBool("ui.mouse"), CopyOnSelect: v.GetBool("ui.copy_on_select"),
		},
		Editor:        v.GetString("editor"),
		LogFile:       v.GetString("log_file"),
		Verbose:       v.GetBool("verbose"),
		GitHubHost:    v.GetString("github_host"),
		GitHub:        GitHub{ClientID: v.GetString("github.client_id")},
		GitHubAPIURL:  v.GetString("github_api_url"),
		CopilotAPIURL: v.GetString("copilot_api_url"),
		API: API{
			IntegrationID: v.GetString("api.integration_id"),
			EditorVersion: v.GetString("api.editor_version"),
			APIVersion:    v.GetString("api.api_version"),
			CAFile:        v.GetString("api.ca_file"),
			StallAfter:    v.GetDuration("api.stall_after"),
		},
		Proxy: Proxy{
			Addr: v.GetString("proxy.addr"), MaxBodyMiB: v.GetInt("proxy.max_body_mib"), Coalesce: v.GetDuration("proxy.coalesce"),
			BearerFiles: v.GetStringSlice("proxy.bearer_files"), AccessLog: v.GetString("proxy.access_log"),
			RepairOff: v.GetStringSlice("proxy.repair_off"), SystemMessages: v.GetString("proxy.system_messages"),
			ImageURLs: v.GetString("proxy.image_urls"), Betas: v.GetStringSlice("proxy.betas"),
		},
		Claude: Claude{
			Path: v.GetString("claude.path"), Version: v.GetString("claude.version"),
			ConfigDir: v.GetString("claude.config_dir"), HookEvents: v.GetBool("claude.hook_events"),
		},
		Tools: Tools{
			BashTimeout: v.GetDuration("tools.bash_timeout"), MaxRounds: v.GetInt("tools.max_rounds"),
			PassEnv: v.GetStringSlice("tools.pass_env"),
		},
	}
}

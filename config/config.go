package config

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"
)

// Config is the effective configuration. Each field has the key of its tag; see [Keys] for what the keys mean.
type Config struct {
	Agent          string   `mapstructure:"agent"`
	Model          string   `mapstructure:"model"`
	FallbackModels []string `mapstructure:"fallback_models"`
	Effort         string   `mapstructure:"effort"`
	PermissionMode string   `mapstructure:"permission_mode"`
	AddDirs        []string `mapstructure:"add_dirs"`
	WorktreeLinks  []string `mapstructure:"worktree_links"`
	Screen         string   `mapstructure:"screen"`
	Theme          string   `mapstructure:"theme"`
	UI             UI       `mapstructure:"ui"`
	Editor         string   `mapstructure:"editor"`
	LogFile        string   `mapstructure:"log_file"`
	Verbose        bool     `mapstructure:"verbose"`
	GitHubHost     string   `mapstructure:"github_host"`
	GitHub         GitHub   `mapstructure:"github"`
	GitHubAPIURL   string   `mapstructure:"github_api_url"`
	CopilotAPIURL  string   `mapstructure:"copilot_api_url"`
	API            API      `mapstructure:"api"`
	Proxy          Proxy    `mapstructure:"proxy"`
	Claude         Claude   `mapstructure:"claude"`
	Copilot        Copilot  `mapstructure:"copilot"`
	Cloud          Cloud    `mapstructure:"cloud"`
	Tools          Tools    `mapstructure:"tools"`
	Builtin        Builtin  `mapstructure:"builtin"`
	Limits         Limits   `mapstructure:"limits"`
	Changes        Changes  `mapstructure:"changes"`
	Sessions       Sessions `mapstructure:"sessions"`

	// Values are the effective values of all keys with their sources, in the order of [Keys].
	Values []Value `mapstructure:"-"`
	// Warnings are complaints that do not stop the program, such as unknown PARLEY_ variables.
	Warnings []string `mapstructure:"-"`
}

// GitHub configures the sign-in of parley.
type GitHub struct {
	// ClientID is the OAuth app of a sign-in with a code; empty: there is none.
	ClientID string `mapstructure:"client_id"`
}

// API configures the requests to the Copilot API.
type API struct {
	// IntegrationID, EditorVersion and APIVersion are headers; empty: the defaults of parley.
	IntegrationID string `mapstructure:"integration_id"`
	EditorVersion string `mapstructure:"editor_version"`
	APIVersion    string `mapstructure:"version"`
	// CAFile is a PEM file with further certificate authorities; empty: none.
	CAFile string `mapstructure:"ca_file"`
	// StallAfter is how long the service may be silent before a request is given up.
	StallAfter time.Duration `mapstructure:"stall_after"`
}

// Proxy configures `parley proxy`.
type Proxy struct {
	Addr       string `mapstructure:"addr"`
	MaxBodyMiB int    `mapstructure:"max_body_mib"`
	// Coalesce is how long events may wait to be joined; 0: not at all.
	Coalesce time.Duration `mapstructure:"coalesce"`
	// BearerFiles hold the secrets of fixed bearers.
	BearerFiles []string `mapstructure:"bearer_files"`
	// AccessLog is a file or "-"; empty: none.
	AccessLog string `mapstructure:"access_log"`
	// RepairOff are rules of the repair that do not run.
	RepairOff []string `mapstructure:"repair_off"`
	// SystemMessages is "fold" or "refuse".
	SystemMessages string `mapstructure:"system_messages"`
	// ImageURLs is "note" or "refuse".
	ImageURLs string `mapstructure:"image_urls"`
	// Betas are families to let through besides the known ones.
	Betas []string `mapstructure:"betas"`
}

// UI configures how the screen suits its terminal and its user. The values are those of the keys.
type UI struct {
	// Keys is "emacs" or "vim".
	Keys string `mapstructure:"keys"`
	// EnterSteers lets enter send into the running turn.
	EnterSteers bool `mapstructure:"enter_steers"`
	// Bindings are the user's key bindings. Whether their keys and actions exist is checked by the screen.
	Bindings    []Binding     `mapstructure:"bindings"`
	Colors      string        `mapstructure:"colors"`
	Charset     string        `mapstructure:"charset"`
	Motion      string        `mapstructure:"motion"`
	Notify      string        `mapstructure:"notify"`
	NotifyAfter time.Duration `mapstructure:"notify_after"`
	Progress    string        `mapstructure:"progress"`
	Title       bool          `mapstructure:"title"`
	// SessionTitles names sessions after their first answer; StatusLine runs the user's status line command.
	SessionTitles bool `mapstructure:"session_titles"`
	StatusLine    bool `mapstructure:"status_line"`
	// DiffSplit draws changes side by side.
	DiffSplit bool `mapstructure:"diff_split"`
	// GroupTools shows calls that read or search and follow each other in one row.
	GroupTools bool `mapstructure:"group_tools"`
	// Mouse takes the mouse.
	Mouse bool `mapstructure:"mouse"`
	// CopyOnSelect copies what the mouse selects at once.
	CopyOnSelect bool `mapstructure:"copy_on_select"`
}

// Limits bound what sessions cost, in credits; 0: they do not.
type Limits struct {
	SessionCredits int `mapstructure:"session_credits"`
	DayCredits     int `mapstructure:"day_credits"`
}

// Claude configures the Claude Code runtime.
type Claude struct {
	// Path is a program, a cli.js or the directory of a package; empty: found on this machine.
	Path string `mapstructure:"path"`
	// Version is exact or "latest"; empty: any.
	Version string `mapstructure:"version"`
	// ConfigDir is the directory of the runtime's settings and sessions; empty: its default.
	ConfigDir string `mapstructure:"config_dir"`
	// Rules heeds the permission rules of its settings in every agent's sessions.
	Rules bool `mapstructure:"rules"`
	// HookEvents asks the runtime to report what its hooks do.
	HookEvents bool `mapstructure:"hook_events"`
}

// Copilot configures the Copilot runtime.
type Copilot struct {
	// Path is a program or the directory of a package; empty: found on this machine.
	Path string `mapstructure:"path"`
	// Version is exact or "latest"; empty: any.
	Version string `mapstructure:"version"`
	// Home is the directory of the runtime's settings and sessions; empty: its default.
	Home string `mapstructure:"home"`
	// Traffic is "direct" or "proxy".
	Traffic string `mapstructure:"traffic"`
}

// Cloud configures GitHub's cloud agent.
type Cloud struct {
	// List lists its tasks beside the sessions of this machine.
	List bool `mapstructure:"list"`
}

// Tools configures what runs for agents.
type Tools struct {
	// BashTimeout and MaxRounds are the builtin agent's.
	BashTimeout time.Duration `mapstructure:"bash_timeout"`
	MaxRounds   int           `mapstructure:"max_rounds"`
	// PassEnv names the variables that reach what runs for any agent although they may hold a GitHub token.
	PassEnv []string `mapstructure:"pass_env"`
	// Off names the tools of parley itself that no agent gets.
	Off []string `mapstructure:"off"`
}

// Builtin configures the builtin agent.
type Builtin struct {
	// LSP uses language servers; LSPServers changes which.
	LSP        bool             `mapstructure:"lsp"`
	LSPServers []LanguageServer `mapstructure:"lsp_servers"`
	// MCP uses MCP servers.
	MCP bool `mapstructure:"mcp"`
	// Hooks runs hooks; HookTimeout is "block" or "pass".
	Hooks       bool   `mapstructure:"hooks"`
	HookTimeout string `mapstructure:"hook_timeout"`
}

// Sessions configures stored sessions.
type Sessions struct {
	// BinDays is after how many days deleted sessions leave the bin for good; 0: never.
	BinDays int `mapstructure:"bin_days"`
	// Outlive lets sessions go on without a terminal, at most so many hours and credits; 0: any.
	Outlive           bool `mapstructure:"outlive"`
	UnattendedHours   int  `mapstructure:"unattended_hours"`
	UnattendedCredits int  `mapstructure:"unattended_credits"`
}

// Changes configures what is kept of files that agents change.
type Changes struct {
	// Keep keeps a copy of each file before and after a change. MaxMiB bounds all copies together; 0: no bound.
	Keep   bool `mapstructure:"keep"`
	MaxMiB int  `mapstructure:"max_mib"`
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
	// Flags are the parsed flags; flags that were set take precedence over everything. May be nil.
	Flags *pflag.FlagSet
}

// Error is a configuration error that the user can fix. It is a usage error.
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

// SourceOf returns where the value of a key comes from, as [Value] does; "" for an unknown key.
func (c *Config) SourceOf(name string) string {
	for _, v := range c.Values {
		if v.Key.Name == name {
			return v.Source
		}
	}
	return ""
}

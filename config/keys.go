package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
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
)

// Key declares one configuration key.
type Key struct {
	// Name is the key's path in the file, sections separated by dots, lower case with underscores.
	Name string
	Type Type
	// Default is a string, bool, int, time.Duration, []string or []Binding, as Type says.
	Default any
	// Doc says what the key is for, in one or two sentences.
	Doc string
	// Values are the permitted values, nil for any.
	Values []string
	// Flag is the flag that sets the key, "" for none.
	Flag string
	// check refuses values of the right type that make no sense; nil accepts all.
	check func(v any) error
}

// Env is the environment variable that mirrors the key.
func (k Key) Env() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(k.Name, ".", "_"))
}

const envPrefix = "PARLEY_"

// Agents are the values of the key "agent".
var Agents = []string{"auto", "builtin", "claude", "copilot"}

// PermissionModes are the values of the key "permission_mode".
var PermissionModes = []string{"default", "acceptEdits", "plan", "bypassPermissions"}

// Keys are all configuration keys, in the order they are documented.
var Keys = []Key{
	{Name: "agent", Type: String, Default: "auto", Values: Agents, Flag: "agent",
		Doc: "Who answers: an agent by name, or auto for the best one that is installed."},
	{Name: "model", Type: String, Default: "", Flag: "model",
		Doc: "The model of new sessions, as `parley models` lists them. Empty: the agent's own default."},
	{Name: "effort", Type: String, Default: "", Flag: "effort",
		Doc: "The reasoning effort of new sessions, one of those the model lists. Empty: the model's own default."},
	{Name: "permission_mode", Type: String, Default: "default", Values: PermissionModes, Flag: "permission-mode",
		Doc: "What may happen without asking: default asks before edits and commands, acceptEdits only before commands, " +
			"plan changes nothing, bypassPermissions never asks and is taken from the flag only."},
	{Name: "add_dirs", Type: Strings, Default: []string(nil), Flag: "add-dir",
		Doc: "Further directories the tools may use besides the one parley was started in."},
	{Name: "screen", Type: String, Default: "alt", Values: []string{"alt", "inline", "plain"}, Flag: "screen",
		Doc: "Where the chat is drawn: alt takes the whole window and gives it back, inline leaves everything in the terminal's " +
			"own scrollback, plain writes lines and reads lines, for screen readers and terminals that can do nothing else."},
	{Name: "theme", Type: String, Default: "auto",
		Doc: "The look. auto asks the terminal for its background and picks parley-dark or parley-light. Or a name: parley-dark, " +
			"parley-light, high-contrast, or one of glamour's styles (dark, light, dracula, tokyo-night, pink, ascii, notty). " +
			"Or the path of a glamour style file. Where this is auto, GLAMOUR_STYLE is used."},
	{Name: "ui.colors", Type: String, Default: "auto", Values: []string{"auto", "none", "16", "256", "true"},
		Doc: "How many colours the terminal has: auto guesses from the environment, where NO_COLOR counts."},
	{Name: "ui.charset", Type: String, Default: "auto", Values: []string{"auto", "unicode", "ascii"},
		Doc: "What is drawn with: ascii leaves out everything else, also in texts; auto does so where the locale names another " +
			"charset than UTF-8, and on the Linux console."},
	{Name: "ui.motion", Type: String, Default: "full", Values: []string{"full", "reduced"},
		Doc: "reduced lets nothing turn or blink; the seconds of what runs still count."},
	{Name: "ui.notify", Type: String, Default: "auto", Values: []string{"auto", "off", "bell", "osc9", "osc777", "osc99", "desktop"},
		Doc: "How you are told, while you look elsewhere, that something is asked or a long turn has ended: auto picks what the " +
			"terminal knows, desktop uses the system's notifications."},
	{Name: "ui.notify_after", Type: Duration, Default: 10 * time.Second, check: checkDuration(0, 24*time.Hour),
		Doc: "How long a turn must have run for its end to be told."},
	{Name: "ui.title", Type: Bool, Default: true,
		Doc: "Say in the window's title what the session is about and what it does. The title is given back at the end."},
	{Name: "ui.progress", Type: String, Default: "auto", Values: []string{"auto", "on", "off"},
		Doc: "Show in the task bar or tab that something runs (OSC 9;4): auto does so where the terminal is known to understand it."},
	{Name: "ui.mouse", Type: Bool, Default: true,
		Doc: "Take the mouse: the wheel scrolls, a click folds, a drag selects. Holding shift leaves it to the terminal, and a key " +
			"switches it off and on. With the screen inline it is the terminal's in any case."},
	{Name: "ui.copy_on_select", Type: Bool, Default: true,
		Doc: "Copy what is selected with the mouse when the button is let go of. If not, ctrl+c copies it."},
	{Name: "ui.keys", Type: String, Default: "emacs", Values: []string{"emacs", "vim"},
		Doc: "The keys of the field in which prompts are written: emacs, or vim with its modes."},
	{Name: "ui.enter_steers", Type: Bool, Default: false,
		Doc: "While the agent works, enter sends into the running turn where the agent can take it, and ctrl+s queues, instead of " +
			"the other way round."},
	{Name: "ui.bindings", Type: Bindings, Default: []Binding(nil),
		Doc: "Keys of your own: a list of objects such as {key: ctrl+e, action: editor}. Keys and actions are those of docs/keys.md; " +
			"a slash command such as /model is an action too, and none takes a key away."},
	{Name: "editor", Type: String, Default: "",
		Doc: "The editor that ctrl+g opens. Empty: VISUAL, then EDITOR, then vi."},
	{Name: "log_file", Type: String, Default: "", Flag: "log-file",
		Doc: "Where to log. Empty: parley.log in the state directory, and only warnings."},
	{Name: "verbose", Type: Bool, Default: false, Flag: "verbose",
		Doc: "Log everything, requests and events included. Never tokens."},
	{Name: "github_host", Type: String, Default: "github.com", check: checkHost,
		Doc: "The GitHub host of the login: github.com, a tenant such as acme.ghe.com, or a server of your own."},
	{Name: "github_api_url", Type: String, Default: "", check: checkLoopback,
		Doc: "Redirects the GitHub API. Loopback addresses only; for tests and for `parley sim`."},
	{Name: "copilot_api_url", Type: String, Default: "", check: checkLoopback,
		Doc: "Redirects the Copilot API and skips discovery. Loopback addresses only; for tests and for `parley sim`."},
	{Name: "github.client_id", Type: String, Default: "",
		Doc: "The OAuth app with which `parley auth login` signs in by a code, without gh. There is none by default. Whether Copilot " +
			"takes the token of such an app is unverified."},
	{Name: "api.integration_id", Type: String, Default: "",
		Doc: "The Copilot-Integration-Id header. Empty: parley's default; none: the header is left out."},
	{Name: "api.editor_version", Type: String, Default: "",
		Doc: "The Editor-Version header. Empty: parley and its version."},
	{Name: "api.api_version", Type: String, Default: "",
		Doc: "The X-GitHub-Api-Version header of Copilot requests. Empty: the newest one parley was tested with."},
	{Name: "api.ca_file", Type: String, Default: "",
		Doc: "A PEM file with further certificate authorities to trust, for a network that inspects TLS. HTTPS_PROXY and " +
			"NO_PROXY are honoured."},
	{Name: "api.stall_after", Type: Duration, Default: 5 * time.Minute, check: checkDuration(time.Second, time.Hour),
		Doc: "How long the service may be silent before a request is given up, counted from the request on. Before the first " +
			"byte of a streamed answer it is two minutes at most."},
	{Name: "proxy.addr", Type: String, Default: "127.0.0.1:0", Flag: "addr", check: checkListen,
		Doc: "Where `parley proxy` listens. Loopback addresses only; port 0 picks a free one."},
	{Name: "proxy.max_body_mib", Type: Int, Default: 64, check: checkInt(1, 1024),
		Doc: "The largest request the proxy accepts, in MiB."},
	{Name: "proxy.coalesce", Type: Duration, Default: 12 * time.Millisecond, check: checkDuration(0, time.Second),
		Doc: "How long pieces of an answer may wait to become one event with those that follow, in sessions of the claude agent 33ms at " +
			"least. 0s passes on each by itself."},
	{Name: "proxy.bearer_files", Type: Strings, Default: []string(nil),
		Doc: "Files with the secrets of further bearers of `parley proxy`, which stay the same at every start: \"SECRET.NAME\", " +
			"where the name is that of the file. A file that does not exist is made, with a fresh secret in it."},
	{Name: "proxy.access_log", Type: String, Default: "",
		Doc: "Where `parley proxy` writes a line of JSON about every request: a file, or - for stderr. Empty: nowhere."},
	{Name: "proxy.repair_off", Type: Strings, Default: []string(nil),
		Doc: "Repairs of requests that the proxy does not make, by name. A name that does not exist is an error that lists all."},
	{Name: "proxy.system_messages", Type: String, Default: "fold", Values: []string{"fold", "refuse"},
		Doc: "What becomes of system messages within a conversation, which Copilot refuses: folded into the user's turn, or " +
			"refused with the error of the Anthropic API."},
	{Name: "proxy.image_urls", Type: String, Default: "note", Values: []string{"note", "refuse"},
		Doc: "What becomes of images by URL, which Copilot does not fetch: a note for the model in their place, or an error."},
	{Name: "proxy.betas", Type: Strings, Default: []string(nil),
		Doc: "Families of Anthropic betas to let through besides those Copilot is known to take, without their dates."},
	{Name: "claude.path", Type: String, Default: "",
		Doc: "The Claude Code runtime to use: a program, a cli.js, or the directory of its npm package. Empty: one that " +
			"`parley runtimes install claude` installed, else claude on PATH."},
	{Name: "claude.version", Type: String, Default: "", check: checkVersion,
		Doc: "The one version of the Claude Code runtime to use and to install, such as 2.1.197. Empty: the newest that is " +
			"installed is used, and the newest that parley was tested with installed. latest: the same, but whatever npm calls so is installed."},
	{Name: "claude.config_dir", Type: String, Default: "",
		Doc: "Where the Claude Code runtime keeps its own settings and sessions, as CLAUDE_CONFIG_DIR. Empty: that variable, " +
			"else ~/.claude, so that plain Claude Code and parley see the same sessions."},
	{Name: "claude.hook_events", Type: Bool, Default: false,
		Doc: "Show what the hooks of the Claude Code runtime do while they run."},
	{Name: "tools.bash_timeout", Type: Duration, Default: 2 * time.Minute, check: checkDuration(time.Second, time.Hour),
		Doc: "How long a command of the builtin agent may run when it does not ask for a time of its own."},
	{Name: "tools.max_rounds", Type: Int, Default: 200, check: checkInt(1, 100000),
		Doc: "How many rounds of tool calls the builtin agent makes in one turn before it stops."},
	{Name: "tools.pass_env", Type: Strings, Default: []string(nil), check: checkPassed,
		Doc: "Names of variables, such as GH_TOKEN, that reach what an agent runs although they hold a GitHub token: commands, and the " +
			"Claude Code runtime with its hooks and MCP servers. COPILOT_GITHUB_TOKEN cannot be named."},
}

// KeyByName finds a key.
func KeyByName(name string) (Key, bool) {
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return Keys[i], true
}

// parse reads a value of the key from text, as the environment and flags have it. Lists are separated by the platform's
// path list separator.
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
	default:
		return s, k.validate(s)
	}
}

// validate refuses values that are not permitted, naming the ones that are.
func (k Key) validate(v any) error {
	if s, ok := v.(string); ok && k.Values != nil && !slices.Contains(k.Values, s) {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(k.Values, ", "))
	}
	if k.check != nil {
		return k.check(v)
	}
	return nil
}

func checkDuration(least, most time.Duration) func(any) error {
	return func(v any) error {
		if d := v.(time.Duration); d < least || d > most {
			return fmt.Errorf("%v is not between %v and %v", d, least, most)
		}
		return nil
	}
}

func checkInt(least, most int) func(any) error {
	return func(v any) error {
		if n := v.(int); n < least || n > most {
			return fmt.Errorf("%d is not between %d and %d", n, least, most)
		}
		return nil
	}
}

func checkHost(v any) error {
	s := v.(string)
	if s == "" || strings.ContainsAny(s, "/:@? \t") {
		return fmt.Errorf("%q is not a host name such as github.com", s)
	}
	return nil
}

// checkLoopback keeps a bearer from being sent anywhere but to this machine.
func checkLoopback(v any) error {
	s := v.(string)
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%q is not an http address without user information", s)
	}
	if !isLoopback(u.Hostname()) {
		return fmt.Errorf("%q is not a loopback address; the token would leave this machine", u.Host)
	}
	return nil
}

func checkListen(v any) error {
	host, port, err := net.SplitHostPort(v.(string))
	if err != nil {
		return fmt.Errorf("%q is not an address such as 127.0.0.1:8080", v)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%q is not a port", port)
	}
	if !isLoopback(host) {
		return fmt.Errorf("%q is not a loopback address; the proxy serves this machine only", host)
	}
	return nil
}

// checkVersion accepts exact versions and "latest". A range would make it a matter of luck what runs.
func checkVersion(v any) error {
	s := v.(string)
	// Compiled here, because most starts never need it.
	exact := regexp.MustCompile(`^[0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6}(-[0-9A-Za-z.-]{1,40})?$`)
	if s != "" && s != "latest" && !exact.MatchString(s) {
		return fmt.Errorf("%q is neither latest nor an exact version such as 2.1.197", s)
	}
	return nil
}

// checkPassed accepts names of variables, but not the one that no child of an agent gets.
func checkPassed(v any) error {
	for _, name := range v.([]string) {
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00 "):
			return fmt.Errorf("%q is not the name of an environment variable", name)
		case strings.EqualFold(name, "COPILOT_GITHUB_TOKEN"):
			return fmt.Errorf("%s is parley's own and never reaches an agent; put a token for its tools into GH_TOKEN and name that", name)
		}
	}
	return nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

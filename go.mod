module parley

go 1.26.0

require (
	// The loop of the screen: input, messages, commands. charm.land is the module path of github.com/charmbracelet since version 2.
	charm.land/bubbletea/v2 v2.1.1
	// The format of markdown styles, and its named styles.
	charm.land/glamour/v2 v2.0.1
	// Styles, borders and tables.
	charm.land/lipgloss/v2 v2.0.6
	// Finds the main content of a page of the web, for WebFetch.
	codeberg.org/readeck/go-readability/v2 v2.1.3
	// Makes markdown of HTML, for WebFetch.
	github.com/JohannesKaufmann/html-to-markdown/v2 v2.5.2
	// Named pipes of Windows, where screens and the session host meet. No other system builds it.
	github.com/Microsoft/go-winio v0.6.4
	// Colors code. It comes with glamour.
	github.com/alecthomas/chroma/v2 v2.27.0
	// The loop of the builtin agent.
	github.com/anthropics/anthropic-sdk-go v1.84.0
	// Diffs of file changes.
	github.com/aymanbagabas/go-udiff v0.4.1
	// Globs with ** in the builtin agent's searches.
	github.com/bmatcuk/doublestar/v4 v4.10.4
	// How many colors a terminal has.
	github.com/charmbracelet/colorprofile v0.4.3
	// The cells of the terminal, which ui/paint compares.
	github.com/charmbracelet/ultraviolet v0.0.0-20261008173134-6b8d4baf91b4
	// Control sequences and widths.
	github.com/charmbracelet/x/ansi v0.11.9
	// Raw mode and the size of terminals.
	github.com/charmbracelet/x/term v0.2.2
	// Tests: a terminal. It has no tags, and most versions cannot be downloaded from the module proxy; this one can.
	github.com/charmbracelet/x/vt v0.0.0-20260913004009-c615ff2f7805
	// Finds gh's login, and asks GitHub's REST and GraphQL APIs. 2.17.0 needs a version of glamour that cannot be downloaded.
	github.com/cli/go-gh/v2 v2.16.2
	// The width of a character.
	github.com/clipperhouse/displaywidth v0.11.0
	// Graphemes and words.
	github.com/clipperhouse/uax29/v2 v2.7.0
	// Tests: pseudo-terminals.
	github.com/creack/pty v1.1.24
	// Comes with chroma; tests in virtual time start its clock themselves.
	github.com/dlclark/regexp2/v2 v2.12.0
	// Watches the folders of what extends agents. It comes with viper.
	github.com/fsnotify/fsnotify v1.9.0
	// Tests: differences.
	github.com/google/go-cmp v0.7.0
	// Checks answers against the user's JSON Schema. Others cost 16 ms at every start.
	github.com/google/jsonschema-go v0.4.3
	// Ids of sessions.
	github.com/google/uuid v1.6.0
	// The text of PDF documents, for the builtin agent.
	github.com/ledongthuc/pdf v0.0.0-20260907135840-6c8c28e0e8a0
	// Speaks to MCP servers, in the five revisions of the protocol.
	github.com/modelcontextprotocol/go-sdk v1.8.0
	// In tests of ui/keyboard: reads a terminal as Bubble Tea does, whose version this is.
	github.com/muesli/cancelreader v0.2.2
	// Tests: judges the wire types of proxy/translate.
	github.com/openai/openai-go/v3 v3.96.0
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	// The messages of JSON-RPC with language servers; internal/jsonrpc bounds them. It imports only the standard library.
	github.com/sourcegraph/jsonrpc2 v0.2.3
	// Commands, their help and completion.
	github.com/spf13/cobra v1.10.2
	// The flags of cobra, which config binds to keys.
	github.com/spf13/pflag v1.1.0
	// Merges defaults, file, environment and flags.
	github.com/spf13/viper v1.21.0
	// Parses markdown; ui/md lays it out.
	github.com/yuin/goldmark v1.8.7
	// The system's keyring, for sign-ins to MCP services.
	github.com/zalando/go-keyring v0.2.8
	// Tests: goroutines that do not end.
	go.uber.org/goleak v1.3.0
	// The lines of errors in the configuration and in scripts of the simulated Copilot.
	go.yaml.in/yaml/v3 v3.0.6
	// Scales images for models, and reads WebP.
	golang.org/x/image v0.47.0
	// The proxy variables as net/http reads them, names of domains, HTML and its charsets, and HTTP/2 in tests.
	golang.org/x/net v0.62.0
	// Tokens of sign-ins to MCP services, as the SDK for MCP has them.
	golang.org/x/oauth2 v0.35.0
	// System calls: locks, processes, files.
	golang.org/x/sys v0.49.0
	// Archives of files (txtar): the tasks of eval, and tests.
	golang.org/x/tools v0.52.0
	// Parses the command lines that permission rules judge.
	mvdan.cc/sh/v3 v3.14.1
	// SQLite without cgo, for the index of sessions: 3.4 MB, 0.5 ms at every start. Less than modernc's own driver or ncruces's, with
	// connections by hand. It pins modernc's versions, which are the newest that fit together.
	zombiezen.com/go/sqlite v1.4.2
)

require (
	// Benchmarks: what internal/jsonedit is measured against. Both come with the Anthropic SDK.
	github.com/tidwall/gjson v1.20.0
	github.com/tidwall/sjson v1.2.5
)

require (
	github.com/JohannesKaufmann/dom v0.3.1 // indirect
	github.com/andybalholm/cascadia v1.3.4 // indirect
	github.com/aymanbagabas/go-osc52/v2 v2.0.1 // indirect
	github.com/aymerick/douceur v0.2.0 // indirect
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/buger/jsonparser v1.1.2 // indirect
	github.com/charmbracelet/x/exp/ordered v0.1.0 // indirect
	github.com/charmbracelet/x/exp/slice v0.0.0-20250327172914-2fdc97757edf // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/cli/safeexec v1.0.1 // indirect
	github.com/cli/shurcooL-graphql v0.0.4 // indirect
	github.com/coder/websocket v1.8.15 // indirect
	github.com/danieljoos/wincred v1.2.3 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/go-logr/logr v1.4.2 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/go-shiori/dom v0.0.0-20230515143342-73569d674e1c // indirect
	github.com/go-viper/mapstructure/v2 v2.4.0 // indirect
	github.com/godbus/dbus/v5 v5.2.2 // indirect
	github.com/gogs/chardet v0.0.0-20211120154057-b7413eaefb8f // indirect
	github.com/gorilla/css v1.0.1 // indirect
	github.com/henvic/httpretty v0.2.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/invopop/jsonschema v0.14.0 // indirect
	github.com/itlightning/dateparse v0.2.1 // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/mattn/go-isatty v0.0.22 // indirect
	github.com/mattn/go-runewidth v0.0.30 // indirect
	github.com/microcosm-cc/bluemonday v1.0.27 // indirect
	github.com/muesli/termenv v0.16.0 // indirect
	github.com/ncruces/go-strftime v0.1.9 // indirect
	github.com/pb33f/ordered-map/v2 v2.3.1 // indirect
	github.com/pelletier/go-toml/v2 v2.2.4 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/sagikazarmark/locafero v0.11.0 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/sourcegraph/conc v0.3.1-0.20240121214520-5f936abd7ae8 // indirect
	github.com/spf13/afero v1.15.0 // indirect
	github.com/spf13/cast v1.10.0 // indirect
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1 // indirect
	github.com/subosito/gotenv v1.6.0 // indirect
	github.com/thlib/go-timezone-local v0.0.8 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/xo/terminfo v1.0.0 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	github.com/yuin/goldmark-emoji v1.0.5 // indirect
	go.opentelemetry.io/auto/sdk v1.1.0 // indirect
	go.opentelemetry.io/otel v1.33.0 // indirect
	go.opentelemetry.io/otel/metric v1.33.0 // indirect
	go.opentelemetry.io/otel/trace v1.33.0 // indirect
	go.yaml.in/yaml/v4 v4.0.0-rc.2 // indirect
	golang.org/x/exp v0.0.0-20250408133849-7e4ce0ab07d0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/term v0.47.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
	modernc.org/libc v1.65.7 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.11.0 // indirect
	modernc.org/sqlite v1.37.1 // indirect
)

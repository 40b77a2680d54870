package clipboard

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is a machine with some programs, and what they print or how they fail.
type desk struct {
	goos string
	env  map[string]string
	does map[string]any // by name: a string to print, an error, or func(Command) any
	ran  []Command
}

func (d *desk) clipboard() *Clipboard {
	return New(System{
		GOOS: d.goos, Getenv: func(k string) string { return d.env[k] },
		LookPath: func(name string) (string, error) {
			if _, ok := d.does[name]; !ok {
				return "", os.ErrNotExist
			}
			return name, nil
		},
		Run: func(_ context.Context, c Command) ([]byte, error) {
			d.ran = append(d.ran, c)
			does, ok := d.does[c.Name]
			if !ok {
				return nil, os.ErrNotExist
			}
			if f, ok := does.(func(Command) any); ok {
				does = f(c)
			}
			if err, ok := does.(error); ok {
				return nil, err
			}
			return []byte(does.(string)), nil
		},
	})
}

func TestCopyGoesTheSurestWay(t *testing.T) {
	fail := errors.New("no display")
	for _, c := range []struct {
		name    string
		desk    desk
		tool    string
		certain bool
		seq     Multiplexer
		some    bool // a sequence
		words   string
	}{
		{"mac", desk{goos: "darwin", does: map[string]any{"pbcopy": ""}}, "pbcopy", true, 0, false, "Copied 4 bytes with pbcopy"},
		{"wayland", desk{env: map[string]string{"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, does: map[string]any{"wl-copy": "", "xclip": ""}}, "wl-copy", true, 0, false, "wl-copy"},
		{"x11", desk{env: map[string]string{"DISPLAY": ":0"}, does: map[string]any{"wl-copy": "", "xsel": ""}}, "xsel", true, 0, false, "xsel"},
		{"one fails", desk{env: map[string]string{"DISPLAY": ":0"}, does: map[string]any{"xclip": fail, "xsel": ""}}, "xsel", true, 0, false, "xsel"},
		{"all fail", desk{env: map[string]string{"DISPLAY": ":0"}, does: map[string]any{"xclip": fail}}, "", false, NoMultiplexer, true, "Copied 4 bytes. Not there? Allow OSC 52"},
		{"none", desk{}, "", false, NoMultiplexer, true, "OSC 52"},
		{"termux", desk{env: map[string]string{"TERMUX_VERSION": "1"}, does: map[string]any{"termux-clipboard-set": ""}}, "termux-clipboard-set", true, 0, false, ""},
		{"wsl", desk{env: map[string]string{"WSL_DISTRO_NAME": "u"}, does: map[string]any{"clip.exe": ""}}, "clip.exe", true, 0, false, ""},
		{"windows", desk{goos: "windows", does: map[string]any{"clip.exe": ""}}, "clip.exe", true, 0, false, ""},
		{"ssh", desk{env: map[string]string{"SSH_TTY": "/dev/pts/1", "DISPLAY": ":0"}, does: map[string]any{"xclip": ""}}, "", false, NoMultiplexer, true, "OSC 52"},
		{"tmux over ssh", desk{env: map[string]string{"SSH_TTY": "x", "TMUX": "y"}, does: map[string]any{"tmux": ""}}, "tmux", false, Tmux, true, "Copied 4 bytes to tmux, and to the terminal if it allows OSC 52"},
		{"tmux that fails", desk{env: map[string]string{"TMUX": "y"}, does: map[string]any{"tmux": fail}}, "", false, Tmux, true, "Copied 4 bytes"},
		{"tmux with a display", desk{env: map[string]string{"TMUX": "y", "DISPLAY": ":0"}, does: map[string]any{"tmux": "", "xclip": ""}}, "xclip", true, 0, false, ""},
		{"screen", desk{env: map[string]string{"STY": "1.x"}}, "", false, Screen, true, ""},
		{"screen by its TERM", desk{env: map[string]string{"TERM": "screen-256color", "SSH_TTY": "x"}}, "", false, Screen, true, ""},
	} {
		r := c.desk.clipboard().Copy(context.Background(), "text")
		want := ""
		if c.some {
			want = Sequence("text", c.seq)
		}
		if r.Tool != c.tool || r.Certain != c.certain || r.Sequence != want || r.Err != nil || !strings.Contains(r.Message(), c.words) {
			t.Errorf("%s: %+v, %s", c.name, r, r.Message())
		}
		if s := r.Short(); len(s) > 36 && c.name != "termux" || !strings.Contains(s, "4 bytes") || r.Certain == strings.Contains(s, "not confirmed") && r.Tool == "" {
			t.Errorf("%s in short: %s", c.name, s)
		}
		for _, cmd := range c.desk.ran {
			if cmd.Output || cmd.Name != "clip.exe" && string(cmd.Stdin) != "text" {
				t.Errorf("%s: ran %+v", c.name, cmd)
			}
			if cmd.Name == "clip.exe" && string(cmd.Stdin) != "\xff\xfet\x00e\x00x\x00t\x00" {
				t.Errorf("%s: %q", c.name, cmd.Stdin)
			}
		}
	}
}

func TestWhatIsTooLongIsSaidToBe(t *testing.T) {
	long := strings.Repeat("x", maxSequence+1)
	d := desk{env: map[string]string{"DISPLAY": ":0"}, does: map[string]any{"xclip": errors.New("no display")}}
	r := d.clipboard().Copy(context.Background(), long)
	if !errors.Is(r.Err, ErrTooLarge) || r.Sequence != "" || !strings.Contains(r.Message(), "Couldn't copy: too long") || !strings.Contains(r.Message(), "xclip: no display") {
		t.Errorf("%v, %s", r.Err, r.Message())
	}
	if r.Short() != "Not copied: too long" {
		t.Error(r.Short())
	}
	d = desk{env: map[string]string{"TMUX": "x"}, does: map[string]any{"tmux": ""}}
	if r = d.clipboard().Copy(context.Background(), long); r.Err != nil || !strings.Contains(r.Message(), "Copied 74 KB to tmux") {
		t.Errorf("%v, %s", r.Err, r.Message())
	}
}

func TestSequences(t *testing.T) {
	text := strings.Repeat("größe\x1b\n", 300)
	bare := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x07"
	if got := Sequence(text, NoMultiplexer); got != bare {
		t.Errorf("%q", got)
	}
	got := Sequence(text, Tmux)
	inner, ok := strings.CutPrefix(got, bare+"\x1bPtmux;")
	if inner = strings.TrimSuffix(inner, "\x1b\\"); !ok || strings.ReplaceAll(inner, "\x1b\x1b", "\x1b") != bare {
		t.Errorf("%q", got)
	}
	joined := ""
	for s := Sequence(text, Screen); s != ""; {
		seq, _, n, _ := ansi.DecodeSequence(s, ansi.NormalState, nil)
		body, ok := strings.CutPrefix(seq, "\x1bP")
		if !ok || len(seq) > 768 {
			// The escape that begins OSC 52 is inside the first string, where a plain decoder ends it.
			i := strings.Index(s, "\x1b\\")
			body, n = strings.TrimPrefix(s[:i], "\x1bP"), i+2
		}
		joined += strings.TrimSuffix(body, "\x1b\\")
		s = s[n:]
	}
	if joined != bare {
		t.Errorf("%q", joined)
	}
}

const png = "\x89PNG\r\n\x1a\nrest"

func TestImages(t *testing.T) {
	x11 := map[string]string{"DISPLAY": ":0"}
	list := func(types string) func(Command) any {
		return func(c Command) any {
			if slices.Contains(c.Args, "TARGETS") {
				return types
			}
			if slices.Contains(c.Args, "image/jpeg") {
				return "\xff\xd8\xff\xe0"
			}
			return png
		}
	}
	for _, c := range []struct {
		name string
		desk desk
		kind string
		err  error
	}{
		{"x11", desk{env: x11, does: map[string]any{"xclip": list("TARGETS\nimage/png\ntext/html\n")}}, "image/png", nil},
		{"x11 jpeg", desk{env: x11, does: map[string]any{"xclip": list("image/jpeg\n")}}, "image/jpeg", nil},
		{"x11 text", desk{env: x11, does: map[string]any{"xclip": list("UTF8_STRING\n")}}, "", errNoImage},
		{"x11 empty", desk{env: x11, does: map[string]any{"xclip": errors.New("target not available")}}, "", errNoImage},
		{"x11 without xclip", desk{env: x11}, "", ErrNothing},
		{"wayland", desk{env: map[string]string{"WAYLAND_DISPLAY": "w"}, does: map[string]any{"wl-paste": func(c Command) any {
			return map[bool]string{true: "image/png\n", false: png}[c.Args[0] == "--list-types"]
		}}}, "image/png", nil},
		{"mac", desk{goos: "darwin", does: map[string]any{"osascript": "«data PNGf89504E470D0A1A0A00»\n"}}, "image/png", nil},
		{"mac without", desk{goos: "darwin", does: map[string]any{"osascript": errors.New("-1700")}}, "", errNoImage},
		{"windows", desk{goos: "windows", does: map[string]any{"powershell.exe": base64.StdEncoding.EncodeToString([]byte(png)) + "\r\n"}}, "image/png", nil},
		{"windows without", desk{goos: "windows", does: map[string]any{"powershell.exe": "\r\n"}}, "", errNoImage},
		{"not an image", desk{goos: "windows", does: map[string]any{"powershell.exe": "TVo="}}, "", errNoImage},
		{"ssh", desk{env: map[string]string{"SSH_TTY": "x", "DISPLAY": ":0"}, does: map[string]any{"xclip": png}}, "", ErrNothing},
	} {
		img, err := c.desk.clipboard().PasteImage(context.Background())
		if img.Type != c.kind || !errors.Is(err, c.err) {
			t.Errorf("%s: %s, %v", c.name, img.Type, err)
		}
	}
}

// The real way to run programs, with this test as the program.
func TestProgramsAreRun(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	sys := ThisMachine()
	if sys.GOOS != runtime.GOOS || sys.Getenv == nil {
		t.Errorf("%+v", sys)
	}
	out, err := sys.Run(context.Background(), Command{Name: self, Args: []string{"-test.list", "TestImages"}, Output: true})
	if err != nil || !strings.Contains(string(out), "TestImages") {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := sys.Run(context.Background(), Command{Name: self, Args: []string{"-test.list", "TestImages"}}); err != nil || len(out) > 0 {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := sys.Run(context.Background(), Command{Name: self, Args: []string{"-no-such-flag"}, Output: true}); err == nil || !strings.Contains(err.Error(), "flag") {
		t.Error(err)
	}
	if _, err := sys.Run(context.Background(), Command{Name: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a program that is not there ran")
	}
}

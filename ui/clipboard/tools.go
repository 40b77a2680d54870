package clipboard

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// tool is a program that copies its input.
type tool struct {
	name  string
	copy  []string // its arguments
	utf16 bool     // it wants UTF-16 on its input
}

// tools returns the programs that may work here, the best first; without a display none that needs one.
func (c *Clipboard) tools() (all []tool) {
	env := c.sys.Getenv
	windows := tool{name: "clip.exe", utf16: true}
	switch c.sys.GOOS {
	case "darwin":
		return []tool{{name: "pbcopy"}}
	case "windows":
		return []tool{windows}
	}
	if env("TERMUX_VERSION") != "" {
		all = append(all, tool{name: "termux-clipboard-set"})
	}
	if env("WAYLAND_DISPLAY") != "" {
		all = append(all, tool{name: "wl-copy"})
	}
	if env("DISPLAY") != "" {
		all = append(all,
			tool{name: "xclip", copy: []string{"-selection", "clipboard", "-in"}},
			tool{name: "xsel", copy: []string{"--clipboard", "--input"}})
	}
	if c.wsl() {
		all = append(all, windows)
	}
	return all
}

// wsl reports whether this is Linux inside Windows, whose programs can be run.
func (c *Clipboard) wsl() bool {
	return c.sys.Getenv("WSL_INTEROP") != "" || c.sys.Getenv("WSL_DISTRO_NAME") != ""
}

// remote reports whether the user sits at another machine, where programs of this one are useless.
func (c *Clipboard) remote() bool {
	return c.sys.Getenv("SSH_TTY") != "" || c.sys.Getenv("SSH_CONNECTION") != "" || c.sys.Getenv("SSH_CLIENT") != ""
}

// multiplexer returns what stands between this program and the terminal.
func (c *Clipboard) multiplexer() Multiplexer {
	switch {
	case c.sys.Getenv("TMUX") != "":
		return Tmux
	case c.sys.Getenv("STY") != "" || c.sys.Getenv("ZELLIJ") == "" && strings.HasPrefix(c.sys.Getenv("TERM"), "screen"):
		return Screen
	}
	return NoMultiplexer
}

// input returns the text as the tool wants it.
func (t *tool) input(text string) []byte {
	if !t.utf16 {
		return []byte(text)
	}
	b := []byte{0xff, 0xfe} // the mark by which clip.exe knows
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

package clipboard

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// tool is a program that has to do with the clipboard.
type tool struct {
	name  string
	copy  []string // arguments to take text from its input
	paste []string // arguments to print text; nil if it cannot
	// reader is the program that prints, if it is another.
	reader string
	utf16  bool // it wants UTF-16 on its input
}

// tools are those that may work here, the best first. What needs a display is not among them without one.
func (c *Clipboard) tools() (all []tool) {
	env := c.sys.Getenv
	powershell := []string{"-NoProfile", "-NonInteractive", "-Command",
		"[Console]::OutputEncoding=[Text.Encoding]::UTF8; Get-Clipboard -Raw"}
	windows := tool{name: "clip.exe", reader: "powershell.exe", paste: powershell, utf16: true}
	switch c.sys.GOOS {
	case "darwin":
		return []tool{{name: "pbcopy", reader: "pbpaste", paste: []string{}}}
	case "windows":
		return []tool{windows}
	}
	if env("TERMUX_VERSION") != "" {
		all = append(all, tool{name: "termux-clipboard-set", reader: "termux-clipboard-get", paste: []string{}})
	}
	if env("WAYLAND_DISPLAY") != "" {
		all = append(all, tool{name: "wl-copy", reader: "wl-paste", paste: []string{"--no-newline"}})
	}
	if env("DISPLAY") != "" {
		all = append(all,
			tool{name: "xclip", copy: []string{"-selection", "clipboard", "-in"}, paste: []string{"-selection", "clipboard", "-out"}},
			tool{name: "xsel", copy: []string{"--clipboard", "--input"}, paste: []string{"--clipboard", "--output"}})
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

// remote reports whether the person sits at another machine, so that programs here are of no use.
func (c *Clipboard) remote() bool {
	return c.sys.Getenv("SSH_TTY") != "" || c.sys.Getenv("SSH_CONNECTION") != "" || c.sys.Getenv("SSH_CLIENT") != ""
}

// multiplexer is what stands between this program and the terminal.
func (c *Clipboard) multiplexer() Multiplexer {
	switch {
	case c.sys.Getenv("TMUX") != "":
		return Tmux
	case c.sys.Getenv("STY") != "" || c.sys.Getenv("ZELLIJ") == "" && strings.HasPrefix(c.sys.Getenv("TERM"), "screen"):
		return Screen
	}
	return NoMultiplexer
}

// input is the text as the tool wants it.
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

package claude

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
)

// maxShellOutput is how much of the end of what a background command wrote is shown, in bytes.
const maxShellOutput = 64 << 10

// shellOutput returns the end of what a background command has written, if the line tells the end of one. It reads a file,
// so it is called before a lock is taken.
func shellOutput(line []byte) string {
	if !bytes.Contains(line, []byte(`"task_notification"`)) {
		return ""
	}
	var l struct {
		Subtype string `json:"subtype"`
		File    string `json:"output_file"`
	}
	if json.Unmarshal(line, &l) != nil || l.Subtype != "task_notification" || l.File == "" {
		return ""
	}
	info, err := os.Stat(l.File)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(l.File)
	if err != nil {
		return ""
	}
	defer f.Close()
	cut := info.Size() > maxShellOutput
	if cut {
		if _, err := f.Seek(-maxShellOutput, io.SeekEnd); err != nil {
			return ""
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, maxShellOutput))
	if err != nil {
		return ""
	}
	if _, rest, ok := bytes.Cut(data, []byte("\n")); cut && ok {
		data = rest
	}
	return strings.ToValidUTF8(string(data), "\uFFFD")
}

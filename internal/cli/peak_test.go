package cli

import (
	"os"
	"strconv"
	"strings"
)

// peakFile names where a process of the test binary that behaves as parley writes the most memory it had.
const peakFile = "PARLEY_TEST_PEAK_FILE"

// writePeak writes how many bytes of memory this process had at most.
func writePeak(name string) {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if kib, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.Atoi(strings.Fields(kib)[0])
			os.WriteFile(name, []byte(strconv.Itoa(n<<10)), 0o600)
		}
	}
}

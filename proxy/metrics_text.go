package proxy

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// metricWriter writes the text format of Prometheus. Prometheus' client library would add 2 MB to the program and take
// ten times as long per request.
type metricWriter struct{ buf bytes.Buffer }

func (w *metricWriter) family(name, kind, help string) {
	fmt.Fprintf(&w.buf, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes one value. The labels are alternating names and values.
func (w *metricWriter) sample(name string, value float64, labels ...string) {
	w.buf.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		w.buf.WriteByte(",{"[btoi(i == 0)])
		w.buf.WriteString(labels[i] + `="` + labelEscaper.Replace(labels[i+1]) + `"`)
	}
	if len(labels) > 0 {
		w.buf.WriteByte('}')
	}
	w.buf.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *metricWriter) single(name, kind, help string, value float64) {
	w.family(name, kind, help)
	w.sample(name, value)
}

func (w *metricWriter) counts(name, help, label string, values map[string]int64) {
	w.family(name, "counter", help)
	keys := make([]string, 0, len(values))
	for k := range values {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		w.sample(name, float64(values[k]), label, k)
	}
}

func (w *metricWriter) histogram(name, help string, h *histogram) {
	w.family(name, "histogram", help)
	var n int64
	for i, end := range buckets {
		n += h.counts[i]
		w.sample(name+"_bucket", float64(n), "le", strconv.FormatFloat(end, 'g', -1, 64))
	}
	n += h.counts[len(buckets)]
	w.sample(name+"_bucket", float64(n), "le", "+Inf")
	w.sample(name+"_sum", h.sum)
	w.sample(name+"_count", float64(n))
}

package export

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// least is the least contrast of a color with its ground, as WCAG counts it.
const least = 4.1

// TestContrast reads each color of the page, light and dark, against each ground that it can stand on.
func TestContrast(t *testing.T) {
	rule, value := regexp.MustCompile(` \.(\w+) \{ color: ?(#[0-9a-f]+)(?:; font[^}]*)? \}`), regexp.MustCompile(`--(\w+): (#[0-9a-f]+);`)
	light, dark, _ := strings.Cut(styleSheet(), "@media screen and (prefers-color-scheme: dark) {\npre")
	roots := value.FindAllStringSubmatch(styleSheet(), -1)
	for name, page := range map[string]string{"light": light, "dark": dark} {
		of := map[string]string{}
		for _, m := range roots {
			if _, known := of[m[1]]; !known || name == "dark" {
				of[m[1]] = m[2]
			}
		}
		colors := [][]string{{"", "text", of["text"]}, {"", "quiet", of["quiet"]}, {"", "red", of["red"]}}
		colors = append(colors, rule.FindAllStringSubmatch(page, -1)...)
		if len(colors) < 20 || len(of) < 8 {
			t.Fatalf("%s: %d colors, %v", name, len(colors), of)
		}
		for _, c := range colors {
			if c[1] == "w" || c[1] == "ln" || c[1] == "lnt" { // blanks, and numbers that the page has not
				continue
			}
			for _, ground := range []string{"ground", "soft", "added", "removed"} {
				if r := contrast(c[2], of[ground]); r < least {
					t.Errorf("%s: %s, %s on %s has %.2f", name, c[1], c[2], ground, r)
				}
			}
		}
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(color string) (sum float64) {
	digits := color[1:]
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, _ := strconv.ParseUint(digits[2*i:2*i+2], 16, 8)
		v := float64(n) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

package uitest

import "flag"

var (
	_ = flag.Bool("update", false, "rewrite golden screens and the pictures of the documentation")
	_ = flag.String("svg", "", "draw every golden screen as an SVG file in this `directory` (absolute, or below ui/uitest)")
)

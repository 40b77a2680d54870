package uitest

import "flag"

var _ = flag.Bool("update", false, "rewrite golden screens")

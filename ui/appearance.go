package ui

import "parley/ui/appearance"

// Appearance is how the screen suits its terminal and its user.
type Appearance = appearance.Appearance

// onlyASCII reports whether nothing but ASCII may be drawn.
func (o *Options) onlyASCII() bool { return o.Appearance.OnlyASCII(o.Getenv) }

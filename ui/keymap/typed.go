package keymap

import tea "charm.land/bubbletea/v2"

// typedBy returns the text that a key types, "" for a key with ctrl or alt.
func Typed(k tea.KeyPressMsg) string {
	if k.Mod&(tea.ModCtrl|tea.ModAlt) != 0 {
		return ""
	}
	return k.Text
}

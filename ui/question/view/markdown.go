package view

import (
	"fmt"
	"strings"

	"parley/ui/keymap"
)

// Markdown returns the rule of who has the keyboard while a question is open, for the documentation.
func Markdown() string {
	km, _ := keymap.New(nil)
	chords := "`" + strings.Join(km.All(keymap.Answer), "` or `") + "`"
	return fmt.Sprintf(`The question stands above the prompt, with its first answer selected: yes to ordinary calls, no to dangerous
ones. What you type is text unless the question has the
keyboard, and then the screen shows a %s before the selected answer. It has the keyboard

- when you gave it: %s gives it, and takes it back;
- with nothing written, after it was on the terminal for %d ms without any key.

While anything is written, nothing but %s gives the keyboard away. A letter selects its answer and takes effect after %d ms
or with %s, unless any other printable key comes first: then all of it was typing, goes to the prompt whole, and nothing is
answered. Digits, arrows and the letters of answers that outlive the session or carry words only select; %s answers. When the
question loses the keyboard, the first answer is selected again. A click on an answer counts after the same %d ms.
`, "`❯`", chords, settleTime.Milliseconds(), chords, confirmTime.Milliseconds(), "`enter`", "`enter`", settleTime.Milliseconds())
}

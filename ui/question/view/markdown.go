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
	return fmt.Sprintf(`The question stands below the conversation, with its first answer selected: yes, or no to what may be dangerous. What you type
goes to the prompt unless the question has the keyboard. While it has, a %s stands before the selected answer. The question has the keyboard

- if you gave it: %s gives it the keyboard, and takes it back;
- if nothing is written, once it was on the terminal for %d ms without any key.

While anything is written, only %s gives it the keyboard. A letter or a number selects its answer, which counts after %d ms, or
at once with %s. If another printable key comes first, all of it was typing: it goes to the prompt whole, and nothing is
answered. %s counts once the question has had the keyboard for %d ms. An answer that outlives the session is only selected by
its letter, and given with %s; so is an option of a form by its number. When the question loses the keyboard, its first answer is selected again. A click on an answer
counts after the same %d ms.
`, "`❯`", chords, settleTime.Milliseconds(), chords, confirmTime.Milliseconds(), "`enter`", "`enter`", enterTime.Milliseconds(), "`enter`", settleTime.Milliseconds())
}

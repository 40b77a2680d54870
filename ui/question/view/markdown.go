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
goes to the prompt unless the question has the keyboard. While it has, a %s stands before the selected answer. The question gets
the keyboard

- when you press %s; press it again to take it back;
- when nothing is written, once it was on the terminal for %d ms without any key.

While anything is written, only %s moves the keyboard. A letter or a number selects its answer, which counts after %d ms, or
at once if you press %s. If another printable key comes first, all of it was typing: it goes to the prompt whole, and nothing is
answered. %s counts once the question has had the keyboard for %d ms. The letter of an answer that outlives the session, and
the number of an option of a form, only select: press %s to answer. When the question loses the keyboard, its first answer is
selected again. A click on an answer counts after the same %d ms.
`, "`❯`", chords, settleTime.Milliseconds(), chords, confirmTime.Milliseconds(), "`enter`", "`enter`", enterTime.Milliseconds(), "`enter`", settleTime.Milliseconds())
}

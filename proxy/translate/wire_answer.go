package translate

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// loose holds a field of an answer if it has the expected type, otherwise the zero value, so that one field of another
// type does not make the whole answer unreadable.
type loose[T any] struct{ value T }

// UnmarshalJSON never fails.
func (l *loose[T]) UnmarshalJSON(data []byte) error {
	var v T
	if json.Unmarshal(data, &v) == nil {
		l.value = v
	}
	return nil
}

// jsonText is a string of an answer. Any other value becomes its JSON text, which suits arguments sent as an object.
type jsonText string

// UnmarshalJSON never fails.
func (t *jsonText) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	*t = jsonText(s)
	return nil
}

// count is a number of tokens. Some backends write it as a string or with a fraction, which is cut off.
type count int64

// UnmarshalJSON decodes anything but a number as 0. It never fails.
func (c *count) UnmarshalJSON(data []byte) error {
	digits := strings.Trim(string(data), `"`)
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		*c = count(n)
	} else if f, err := strconv.ParseFloat(digits, 64); err == nil && math.Abs(f) < 1<<53 {
		*c = count(f)
	}
	return nil
}

// responsesMessage is an output item of type "message".
type responsesMessage struct {
	Content loose[[]struct {
		Type    jsonText `json:"type"`
		Text    jsonText `json:"text"`
		Refusal jsonText `json:"refusal"`
	}] `json:"content"`
}

// responsesThought is an output item of type "reasoning".
type responsesThought struct {
	ID               jsonText             `json:"id"`
	Summary          loose[[]thoughtPart] `json:"summary"`
	Content          loose[[]thoughtPart] `json:"content"`
	EncryptedContent jsonText             `json:"encrypted_content"`
}

// thoughtPart is a paragraph of reasoning or of its summary.
type thoughtPart struct {
	Text jsonText `json:"text"`
}

// responsesCall is an output item of type "function_call".
type responsesCall struct {
	CallID    jsonText `json:"call_id"`
	Name      jsonText `json:"name"`
	Arguments jsonText `json:"arguments"`
}

// responsesUsage counts the tokens of an answer of the Responses API.
type responsesUsage struct {
	InputTokens        count               `json:"input_tokens"`
	InputTokensDetails loose[cacheDetails] `json:"input_tokens_details"`
	OutputTokens       count               `json:"output_tokens"`
}

// chatUsage counts the tokens of an answer of Chat Completions.
type chatUsage struct {
	PromptTokens        count               `json:"prompt_tokens"`
	PromptTokensDetails loose[cacheDetails] `json:"prompt_tokens_details"`
	CompletionTokens    count               `json:"completion_tokens"`
	TotalTokens         count               `json:"total_tokens"`
}

// cacheDetails counts the input tokens read from or written to the prompt cache.
type cacheDetails struct {
	CachedTokens     count `json:"cached_tokens"`
	CacheWriteTokens count `json:"cache_write_tokens"`
}

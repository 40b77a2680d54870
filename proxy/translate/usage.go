package translate

import (
	"strconv"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
)

// usage counts tokens the way the Messages API does: what was read from or written to the cache is not part of input.
type usage struct{ input, cacheRead, cacheWrite, output int64 }

// responsesUsage translates a count of the Responses API, where the cached part is counted twice.
func responsesUsage(u responses.ResponseUsage) usage {
	return newUsage(u.InputTokens, u.InputTokensDetails.CachedTokens, u.InputTokensDetails.CacheWriteTokens, u.OutputTokens)
}

// chatUsage translates a count of Chat Completions. Some backends leave reasoning out of the completion and in the total.
func chatUsage(u openai.CompletionUsage) usage {
	output := u.CompletionTokens
	if rest := u.TotalTokens - u.PromptTokens; rest > output {
		output = rest
	}
	return newUsage(u.PromptTokens, u.PromptTokensDetails.CachedTokens, u.PromptTokensDetails.CacheWriteTokens, output)
}

func newUsage(input, read, write, output int64) usage {
	u := usage{cacheRead: max(read, 0), cacheWrite: max(write, 0), output: max(output, 0)}
	u.input = max(input-u.cacheRead-u.cacheWrite, 0)
	return u
}

// append adds the usage object of the Messages API.
func (u usage) append(b []byte) []byte {
	b = append(b, `{"input_tokens":`...)
	b = strconv.AppendInt(b, u.input, 10)
	b = append(b, `,"cache_creation_input_tokens":`...)
	b = strconv.AppendInt(b, u.cacheWrite, 10)
	b = append(b, `,"cache_read_input_tokens":`...)
	b = strconv.AppendInt(b, u.cacheRead, 10)
	b = append(b, `,"output_tokens":`...)
	b = strconv.AppendInt(b, u.output, 10)
	return append(b, '}')
}

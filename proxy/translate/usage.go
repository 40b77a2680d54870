package translate

import "strconv"

// usage counts tokens like the Messages API: input excludes tokens read from or written to the cache.
type usage struct{ input, cacheRead, cacheWrite, output int64 }

// usage converts a count of the Responses API, whose input includes cached tokens.
func (u *responsesUsage) usage() usage {
	return newUsage(u.InputTokens, u.InputTokensDetails.value, u.OutputTokens)
}

// usage converts a count of Chat Completions. Some backends include reasoning only in the total.
func (u *chatUsage) usage() usage {
	output := max(u.CompletionTokens, u.TotalTokens-u.PromptTokens)
	return newUsage(u.PromptTokens, u.PromptTokensDetails.value, output)
}

func newUsage(input count, cache cacheDetails, output count) usage {
	u := usage{
		cacheRead:  max(int64(cache.CachedTokens), 0),
		cacheWrite: max(int64(cache.CacheWriteTokens), 0),
		output:     max(int64(output), 0),
	}
	u.input = max(int64(input)-u.cacheRead-u.cacheWrite, 0)
	return u
}

// append appends the usage object of the Messages API.
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

package copilot

const (
	// pricesPer is the number of tokens our prices are for, and the batch the service means if it names none.
	pricesPer = 1_000_000
	// nanoPerCredit is how many nano-AIU one credit has.
	nanoPerCredit = 1e9
)

// decodePrices reads the token prices. Two forms are known: "default" and "long_context" with prices in credits per
// batch, and an older flat one in nano-AIU per batch. A long-context price that equals the default one is dropped.
func decodePrices(o fields) (standard, long *Price) {
	if o == nil {
		return nil, nil
	}
	batch := o.float("batch_size")
	if batch <= 0 {
		batch = pricesPer
	}
	nested := o.object("default")
	if nested == nil {
		return decodePrice(o, pricesPer/batch/nanoPerCredit), nil
	}
	standard = decodePrice(nested, pricesPer/batch)
	long = decodePrice(o.object("long_context"), pricesPer/batch)
	if long != nil && standard != nil {
		same := *long
		same.Context = standard.Context
		if same == *standard {
			long = nil
		}
	}
	return standard, long
}

// decodePrice reads one price; nil if neither input nor output has one. The keys for the cache and the longest prompt
// changed in the middle of 2026; both are read.
func decodePrice(o fields, scale float64) *Price {
	if !o.has("input_price") && !o.has("output_price") {
		return nil
	}
	p := &Price{
		Input: o.float("input_price") * scale, Output: o.float("output_price") * scale,
		CacheRead:  o.float(o.either("cache_read_price", "cache_price")) * scale,
		CacheWrite: o.float("cache_write_price") * scale, CacheWrite1h: o.float("cache_write_1h_price") * scale,
		Context: o.whole(o.either("max_prompt_tokens", "context_max")),
	}
	return p
}

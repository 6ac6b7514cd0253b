/**
 * Regular expressions that the checker cannot prove to be linear, with the length of the longest text they get. They are measured
 * at this length with texts that repeat parts of them.
 */
export const measuredPatterns: Record<string, number> = {
  // Domains: at most 253 characters, by the schema or by the caller.
  '/^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/u': 253,
  '/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/u': 253,
  '/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$/i': 253,
  '/^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/': 254,
  // Headers: all together at most 16 KiB.
  '/^(Bearer|ApiKey) ([\\w.~+/-]{1,4096}=*)$/i': 16_384,
  '/\\bbr\\b(?!;\\s*q=0(?:\\.0+)?(?:,|$))/': 16_384,
  '/\\bgzip\\b(?!;\\s*q=0(?:\\.0+)?(?:,|$))/': 16_384,
  // Log lines: texts are cut at 8,192 characters first.
  '/(?<![\\w-])eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*/': 8_192,
  '/(?<![\\w-])(?=[\\w-]*[A-Z])(?=[\\w-]*[a-z])(?=[\\w-]*\\d)[\\w-]{43,}/': 8_192,
  "/(?<![\\p{L}\\p{N}._%+'-])[\\p{L}\\p{N}._%+'-]+@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63})+/u": 8_192,
  // Fields of requests, by their schemas.
  '/(?<=^|\\s)-(?=[\\p{L}\\p{N}"])|[^\\p{L}\\p{M}\\p{N}"]+/u': 200,
  '/(?<![@\\p{L}\\p{N}.-])[\\p{L}\\p{N}][\\p{L}\\p{N}.-]*(?=[^@\\p{L}\\p{N}.-]|$)/u': 20_000,
  '/^(?!.*//)/[^\\s\\\\]*$/u': 512,
  '/\\{\\{\\s*(first_name|survey_link)\\s*(?:\\|([^{}]{0,100}))?\\}\\}/': 5_000,
  '/^(.{1,4})\\1+$/su': 1_024,
  // Values of audit entries: those of the longest field.
  '/(?<![\\w-])eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]*/': 100_000,
  // In the browser: the path of the page, and an amount.
  '/^\\/(?![/\\\\])[^\\\\\\p{Cc}]*$/u': 2_048,
  '/^0+(?=\\d)/': 40,
}

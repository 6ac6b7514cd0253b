import { importTexts } from '../../../texts/en/import-texts.ts'

export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'euc-kr',
  'gb18030',
  'big5',
] as const

const names: Readonly<Record<string, string>> = {
  ',': importTexts.delimiters.comma,
  ';': importTexts.delimiters.semicolon,
  '\t': importTexts.delimiters.tab,
  '|': importTexts.delimiters.pipe,
}

/** `utf-8` is written as UTF-8, `windows-1252` as Windows-1252. */
export const encodingName = (encoding: string): string =>
  /^(utf|iso|gb)/.test(encoding) ? encoding.toUpperCase() : encoding.charAt(0).toUpperCase() + encoding.slice(1)

export const delimiterName = (delimiter: string): string => names[delimiter] ?? delimiter

import { deflateRawSync } from 'node:zlib'

/** A file, the status of its upload, and either the code of its error or the outcomes of its rows. */
export type HostileImport = { name: string; content: Buffer; status: number; expected: string[] }

const bytes = (content: string | Buffer, encoding: BufferEncoding = 'utf8') =>
  typeof content === 'string' ? Buffer.from(content, encoding) : content
const accepted = (name: string, content: string | Buffer, ...expected: string[]): HostileImport => ({
  name,
  content: bytes(content),
  status: 201,
  expected,
})
const rejected = (name: string, content: string | Buffer, status: number, code: string): HostileImport => ({
  name,
  content: bytes(content),
  status,
  expected: [code],
})

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const withBom = (text: string) => `\uFEFF${text}`
const header = 'last_name,email,notes\n'
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

/** One stored file without a directory, as a renamed archive begins. */
const zip = Buffer.concat([
  Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1'),
  Buffer.alloc(16),
  deflateRawSync(Buffer.from(header)),
])

export const hostileImports: HostileImport[] = [
  accepted('a formula', `${header}"=HYPERLINK(""https://evil.example"")",,\n`, 'created'),
  accepted('a command', `${header}"=cmd|' /C calc'!A0",,\n`, 'created'),
  accepted('an escaped formula', `${header}'=1+1,,\n`, 'created'),
  accepted('a plus, a minus and an at sign', `${header}+1,,\n-1,,\n@x,,\n`, 'created', 'created', 'created'),
  accepted('a tab and a carriage return in cells', `${header}"\tx",,\n"\rx",,\n`, 'created', 'created'),
  accepted('apostrophes only', `${header}''',,\n`, 'created'),
  accepted('UTF-8 with a byte order mark', withBom(`${header}Müller,,\n`), 'created'),
  accepted('UTF-16 LE with a byte order mark', Buffer.from(withBom(`${header}Müller,,\n`), 'utf16le'), 'created'),
  accepted('UTF-16 BE with a byte order mark', utf16be(withBom(`${header}Müller,,\n`)), 'created'),
  accepted('UTF-16 LE without a byte order mark', Buffer.from(`${header}Mueller,,\n`, 'utf16le'), 'created'),
  accepted('UTF-16 BE without a byte order mark', utf16be(`${header}Mueller,,\n`), 'created'),
  accepted('Windows-1252', Buffer.from(`${header}Müller,,\x80 5\n`, 'latin1'), 'created'),
  accepted(
    'bytes that are not UTF-8',
    Buffer.concat([bytes(header), Buffer.from([0xff, 0xc0, 0x2c, 0x2c, 0x0a])]),
    'created',
  ),
  rejected(
    'half of a UTF-16 character',
    Buffer.concat([Buffer.from(withBom(header), 'utf16le'), Buffer.from([0x41])]),
    422,
    'invalid_encoding',
  ),
  rejected(
    'a lone surrogate in UTF-16',
    Buffer.from(withBom(`${header}\uD800,,\n`), 'utf16le'),
    422,
    'invalid_encoding',
  ),
  accepted('NUL in a cell', `${header}a\0b,,\nMoss,,\n`, 'invalid_character', 'created'),
  accepted('control characters', `${header}a\x01\x02b,,\n`, 'created'),
  accepted('right-to-left override and zero-width characters', `${header}\u202Egnp.exe\u200B,,\n`, 'created'),
  accepted('emoji and combining characters', `${header}👩‍👩‍👧 Z\u0351\u036b,,\n`, 'created'),
  accepted('quotes, delimiters and line breaks in a cell', `${header}${cell('a "b", c\r\nd;e')},,\n`, 'created'),
  rejected('an unclosed quote', `${header}"Moss,,\n`, 422, 'unclosed_quote'),
  rejected('a quote inside a cell', `${header}Mo"ss,,\n`, 422, 'invalid_quote'),
  rejected('text after a quote', `${header}"Moss"x,,\n`, 422, 'invalid_quote'),
  rejected('a cell of 1 MB', `${header}Moss,,${'x'.repeat(1_048_576)}\n`, 422, 'row_too_long'),
  rejected('a cell of 500 KB', `${header}Moss,,${'x'.repeat(500_000)}\n`, 422, 'cell_too_long'),
  accepted('a note of 32,767 characters', `${header}Moss,,${'x'.repeat(32_767)}\n`, 'maxLength'),
  rejected('a row of 2,000,000 delimiters', `${header}${','.repeat(2_000_000)}\n`, 422, 'row_too_long'),
  rejected('201 columns', `${Array.from({ length: 201 }, (_, n) => `c${n}`).join(',')}\n1\n`, 422, 'too_many_columns'),
  accepted('200 columns', `last_name${','.repeat(199)}\nMoss${','.repeat(199)}\n`, 'created'),
  accepted(
    'too few and too many cells',
    `${header}Moss\nMoss,,,x\nMoss,,,,\nRoy,,\n`,
    'created',
    'column_count',
    'created',
    'created',
  ),
  accepted('duplicate headers', 'last_name,email,email\nMoss,a@hostile.example,b@hostile.example\n', 'created'),
  accepted('headers without a name', 'last_name,,\nMoss,x,y\n', 'created'),
  accepted('a header with a formula', `"'=last_name",last_name\nx,Moss\n`, 'created'),
  accepted('empty lines', `\n\n${header}\n\nMoss,,\n\n\n`, 'created'),
  accepted('only carriage returns between rows', 'last_name,email,notes\rMoss,,\rRoy,,\r', 'created', 'created'),
  accepted('mixed line endings', 'last_name,email,notes\r\nMoss,,\nRoy,,\rJen,,', 'created', 'created', 'created'),
  accepted('semicolons', 'last_name;email;notes\nMoss;;a,b,c\n', 'created'),
  accepted('tabs', 'last_name\temail\tnotes\nMoss\t\tx\n', 'created'),
  accepted('vertical bars', 'last_name|email|notes\nMoss||x\n', 'created'),
  accepted('one column', 'last_name\nMoss\n', 'created'),
  accepted('a row of blanks', `${header} , , \n`, 'required'),
  accepted(
    'email addresses of many kinds',
    `${header}A,no address,\nB,a@b@c.example,\nC,"x@y.example,z@y.example",\nD,<script>@x.example,\nE,${'x'.repeat(250)}@y.example,\nF,ok@hostile.example,\n`,
    'format',
    'format',
    'format',
    'format',
    'maxLength',
    'created',
  ),
  accepted('SQL and markup', `${header}'; drop table crm.leads; --,,<img src=x onerror=alert(1)>\n`, 'created'),
  accepted('names of prototypes', 'last_name,__proto__,constructor\nMoss,x,y\n', 'created'),
  accepted('the header "BMW", which begins like a bitmap', 'BMW,last_name\nx,Moss\n', 'created'),
  accepted('a name that is too long', `${header}${'x'.repeat(101)},,\n`, 'maxLength'),
  rejected('a header only', header, 422, 'no_rows'),
  rejected('empty lines only', '\n\r\n\n', 422, 'no_rows'),
  rejected('nothing', '', 422, 'empty'),
  rejected('an archive', zip, 415, 'unsupported_media_type'),
  rejected('an HTML page', '<!doctype html><table><tr><td>Moss</td></tr></table>', 415, 'unsupported_media_type'),
  rejected('a script', '#!/bin/sh\nrm -rf /\n', 415, 'unsupported_media_type'),
  rejected('a PDF', '%PDF-1.7\n1 0 obj\n%%EOF\n', 415, 'unsupported_media_type'),
  rejected(
    'a PNG',
    Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
    415,
    'unsupported_media_type',
  ),
  rejected(
    'bytes of a program',
    Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * 7) % 256)),
    415,
    'unsupported_media_type',
  ),
]

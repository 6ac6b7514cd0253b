import { randomBytes } from 'node:crypto'
import { hostileArchives } from './hostile-archives.fixture.ts'

import { file, type HostileFile, html, script } from './hostile-file.fixture.ts'
import {
  box,
  createZip,
  gif,
  jpg,
  mp3,
  mp4,
  officeFile,
  pdf,
  png,
  sampleFiles,
  wav,
  webm,
} from './sample-files.fixture.ts'

const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='executed'">${script}</svg>`
const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_500)])
const elf = Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(100)])
const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200), Buffer.from('PE\0\0')])
const sample = (filename: string) => sampleFiles.find(([name]) => name === filename)![1]
const cut = (content: Buffer) => content.subarray(0, content.length - Math.min(40, content.length >> 1))

const renamed: HostileFile[] = [
  ['offer.pdf', 'application/pdf'],
  ['logo.png', 'image/png'],
  ['clip.mp4', 'video/mp4'],
  ['song.mp3', 'audio/mpeg'],
  ['deck.docx', 'application/msword'],
  ['notes.txt', 'text/plain'],
  ['data.csv', 'text/csv'],
].flatMap(([filename, type]) => [
  file(`HTML as ${filename}`, filename!, html, type!),
  file(`SVG as ${filename}`, filename!, svg, type!),
])

const markup: HostileFile[] = [
  file('HTML with its own type', 'page.html', html, 'text/html'),
  file('SVG with its own type', 'image.svg', svg, 'image/svg+xml'),
  file('SVG with an XML declaration', 'image.png', `<?xml version="1.0"?>\n<!-- x -->${svg}`, 'image/png'),
  file('HTML after a byte order mark', 'a.txt', `\ufeff${html}`, 'text/plain'),
  file('HTML after white space', 'a.txt', `\n\t  ${html}`, 'text/plain'),
  file('HTML after a comment', 'a.md', `<!-- comment -->${script}`, 'text/markdown'),
  file('HTML in UTF-16', 'a.txt', Buffer.from(`\ufeff${html}`, 'utf16le'), 'text/plain'),
  file(
    'XML with entities',
    'a.txt',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
    'text/xml',
  ),
  file('text with the extension html', 'page.html', 'just text', 'text/html'),
  file('text with the extension js', 'code.js', 'alert(1)', 'text/javascript'),
  file('text with the extension pdf', 'offer.pdf', 'alert(1)', 'application/pdf'),
  file('a shell script', 'run.txt', '#!/bin/sh\nrm -rf /\n', 'text/plain'),
  file('script later in a text', 'a.txt', `Dear all,\n${html}`, 'text/html', { storedAs: 'text/plain' }),
  file('text with a null character', 'a.txt', 'abc\0def', 'text/plain'),
  file('text that is not UTF-8', 'a.csv', Buffer.from('a,\xff\xfe,b', 'latin1'), 'text/csv'),
  file(
    'text that stops being UTF-8',
    'a.txt',
    Buffer.concat([Buffer.alloc(9_000, 'a'), Buffer.from([0xc3, 0x28])]),
    'text/plain',
  ),
  file('an HTML application', 'a.hta', `<hta:application/>${script}`, 'text/plain'),
]

const polyglots: HostileFile[] = [
  file('GIF that is a script', 'a.gif', 'GIF89a/*\0\0*/=1;document.title="executed"', 'image/gif'),
  file('GIF with HTML at its end', 'a.gif', Buffer.concat([gif, Buffer.from(html)]), 'text/html'),
  file(
    'GIF with an archive at its end',
    'a.gif',
    Buffer.concat([gif, createZip([{ name: 'a.class', content: 'x' }])]),
    'image/gif',
  ),
  file('PNG with HTML at its end', 'a.png', Buffer.concat([png, Buffer.from(html)]), 'image/png'),
  file('PNG with an archive at its end', 'a.png', Buffer.concat([png, officeFile('docx')]), 'image/png'),
  file(
    'JPEG with a script in its comment',
    'a.jpg',
    Buffer.concat([jpg.subarray(0, 20), Buffer.from(html), jpg.subarray(20)]),
    'text/html',
    { storedAs: 'image/jpeg' },
  ),
  file(
    'JPEG with an archive at its end',
    'a.jpg',
    Buffer.concat([jpg, createZip([{ name: 'a', content: 'x' }])]),
    'image/jpeg',
  ),
  file(
    'PDF with HTML after its header',
    'a.pdf',
    Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.from(html), pdf]),
    'text/html',
    { storedAs: 'application/pdf' },
  ),
  file('PDF that does not begin with its header', 'a.pdf', Buffer.concat([Buffer.from(html), pdf]), 'application/pdf'),
  file(
    'PDF with an archive at its end',
    'a.pdf',
    Buffer.concat([pdf, createZip([{ name: 'a', content: 'x' }])]),
    'application/pdf',
  ),
  file('PNG as PDF', 'a.pdf', png, 'application/pdf'),
  file('PDF as image', 'a.png', pdf, 'image/png'),
  file('video as image', 'a.png', mp4, 'image/png'),
  file('image as document', 'a.docx', png, 'application/msword'),
  file('image with the extension html', 'a.html', png, 'text/html', { storedAs: 'image/png' }),
  file('audio as video', 'a.mp4', mp3, 'video/mp4'),
]

const programs: HostileFile[] = [
  file('ELF program', 'a.pdf', elf, 'application/pdf'),
  file('Windows program', 'a.txt', exe, 'text/plain'),
  file('legacy Office file', 'a.doc', ole, 'application/msword'),
  file('legacy Office file as docx', 'a.docx', ole, 'application/msword'),
  file(
    'Windows shortcut',
    'a.txt',
    Buffer.concat([Buffer.from('4c0000000114020000000000c000000000000046', 'hex'), Buffer.alloc(60)]),
    'text/plain',
  ),
  file('gzip archive', 'a.txt', Buffer.from('1f8b0800000000000003', 'hex'), 'text/plain'),
  file('7z archive', 'a.pdf', Buffer.from('377abcaf271c0004', 'hex'), 'application/pdf'),
  file('RAR archive', 'a.pdf', Buffer.from('526172211a0701000000000000', 'hex'), 'application/pdf'),
  file('plain archive', 'a.docx', createZip([{ name: 'a.txt', content: 'x' }]), 'application/msword'),
  file(
    'Java archive',
    'a.docx',
    createZip([
      { name: 'META-INF/MANIFEST.MF', content: 'x' },
      { name: 'A.class', content: 'x' },
    ]),
    'application/msword',
  ),
  file('WebAssembly', 'a.txt', Buffer.from('0061736d01000000', 'hex'), 'text/plain'),
  file('random bytes', 'a.mp3', randomBytes(5_000).fill(0, 0, 4), 'audio/mpeg'),
]

const truncated: HostileFile[] = [
  ...(['a.pdf', 'a.png', 'a.jpeg', 'a.gif', 'a.webp', 'a.mp4', 'a.mov', 'a.m4a', 'a.wav', 'a.ogg'] as const).map(
    (name) => file(`truncated ${name}`, name, cut(sample(name)), 'application/octet-stream'),
  ),
  file(
    'MP4 without a movie',
    'a.mp4',
    Buffer.concat([mp4.subarray(0, 20), box('free', Buffer.alloc(50))]),
    'video/mp4',
  ),
  file('MP4 with an invalid box', 'a.mp4', Buffer.concat([mp4, Buffer.from('00000003666f6f20', 'hex')]), 'video/mp4'),
  file('MP4 with HTML after its boxes', 'a.mp4', Buffer.concat([mp4, Buffer.from(html)]), 'video/mp4'),
  file(
    'MP3 with a single sync word',
    'a.mp3',
    Buffer.concat([mp3.subarray(0, 4), Buffer.from(html.repeat(20))]),
    'audio/mpeg',
  ),
  file('WAV that announces more than it has', 'a.wav', cut(wav), 'audio/wav'),
  file(
    'WebM that announces more than it has',
    'a.webm',
    Buffer.concat([webm.subarray(0, 16), Buffer.from('1fffff00', 'hex')]),
    'video/webm',
  ),
]

const names: HostileFile[] = [
  file('name with a path', '../../../../etc/cron.d/a.png', png, 'image/png', { storedAs: 'image/png' }),
  file('name of 5,000 characters', `${'n'.repeat(5_000)}.png`, png, 'image/png', { storedAs: 'image/png' }),
  file('name with a bidirectional override', 'invoice\u202egnp.exe', png, 'image/png', { storedAs: 'image/png' }),
  file('name with two extensions', 'photo.html.png', png, 'image/png', { storedAs: 'image/png' }),
  file('name with markup', '<img src=x onerror=alert(1)>.png', png, 'image/png', { storedAs: 'image/png' }),
]

export const hostileFiles = [
  ...renamed,
  ...markup,
  ...polyglots,
  ...programs,
  ...hostileArchives,
  ...truncated,
  ...names,
]

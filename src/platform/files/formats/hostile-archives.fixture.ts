import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { file, type HostileFile, html } from './hostile-file.fixture.ts'
import { contentTypes, createZip, officeFile, openDocument } from './sample-files.fixture.ts'

const macroMain = 'application/vnd.ms-word.document.macroEnabled.main+xml'
const docxMain = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const zeros = Buffer.alloc(20 * 1_048_576)

const macros: HostileFile[] = [
  file(
    'docx with a VBA project',
    'a.docx',
    officeFile('docx', [{ name: 'word/vbaProject.bin', content: 'x' }]),
    'application/msword',
    { code: 'macros_not_allowed' },
  ),
  file(
    'xlsx with a VBA project in other case',
    'a.xlsx',
    officeFile('xlsx', [{ name: 'xl/VBAPROJECT.BIN', content: 'x' }]),
    'application/msword',
    { code: 'macros_not_allowed' },
  ),
  file(
    'xlsx with a macro sheet',
    'a.xlsx',
    officeFile('xlsx', [{ name: 'xl/macrosheets/sheet1.xml', content: 'x' }]),
    'x/y',
    { code: 'macros_not_allowed' },
  ),
  file(
    'docx with ActiveX',
    'a.docx',
    officeFile('docx', [{ name: 'word/activeX/activeX1.bin', content: 'x' }]),
    'x/y',
    { code: 'macros_not_allowed' },
  ),
  file(
    'docm as docx',
    'a.docx',
    createZip([contentTypes(macroMain), { name: 'word/document.xml', content: 'x' }]),
    'x/y',
    { code: 'macros_not_allowed' },
  ),
  file(
    'docm with an escaped type',
    'a.docx',
    createZip([contentTypes(docxMain, macroMain.replace('E', '&#69;'))]),
    'x/y',
  ),
  file(
    'odt with a Basic library',
    'a.odt',
    openDocument('text', [{ name: 'Basic/Standard/Module1.xml', content: 'x' }]),
    'x/y',
    { code: 'macros_not_allowed' },
  ),
]

const archives: HostileFile[] = [
  file('docx with a parent path', 'a.docx', officeFile('docx', [{ name: '../../etc/passwd', content: 'x' }]), 'x/y'),
  file('docx with an absolute path', 'a.docx', officeFile('docx', [{ name: '/etc/passwd', content: 'x' }]), 'x/y'),
  file('docx with a backslash path', 'a.docx', officeFile('docx', [{ name: '..\\evil.exe', content: 'x' }]), 'x/y'),
  file('docx with a drive letter', 'a.docx', officeFile('docx', [{ name: 'C:evil.exe', content: 'x' }]), 'x/y'),
  file(
    'docx with a null character in a name',
    'a.docx',
    officeFile('docx', [{ name: 'a\0.xml', content: 'x' }]),
    'x/y',
  ),
  file('docx with a long name', 'a.docx', officeFile('docx', [{ name: 'a'.repeat(600), content: 'x' }]), 'x/y'),
  file(
    'docx with the same name twice',
    'a.docx',
    officeFile('docx', [{ name: 'WORD/a.xml' }, { name: 'word/A.xml' }]),
    'x/y',
  ),
  file(
    'docx with a symbolic link',
    'a.docx',
    officeFile('docx', [{ name: 'link', content: '/etc/passwd', mode: 0xa1ff }]),
    'x/y',
  ),
  file('encrypted docx', 'a.docx', officeFile('docx', [{ name: 'word/document.xml', content: 'x', flags: 1 }]), 'x/y'),
  file(
    'docx with an entry of 20 MiB of zeros',
    'a.docx',
    officeFile('docx', [{ name: 'bomb', content: zeros }]),
    'x/y',
  ),
  file(
    'docx that declares 3 GiB',
    'a.docx',
    officeFile('docx', [{ name: 'bomb', content: randomBytes(20_000), size: 3_000_000_000 }]),
    'x/y',
  ),
  file(
    'docx with overlapping entries',
    'a.docx',
    officeFile('docx', [
      { name: 'a', content: 'x' },
      { name: 'b', content: 'x', offset: 0 },
    ]),
    'x/y',
  ),
  file(
    'docx with 10,001 entries',
    'a.docx',
    officeFile(
      'docx',
      Array.from({ length: 10_001 }, (_, n) => ({ name: `e${n}`, method: 0 as const })),
    ),
    'x/y',
  ),
  file('docx with a wrong number of entries', 'a.docx', createZip([contentTypes(docxMain)], { entryCount: 5 }), 'x/y'),
  file('docx with a comment at its end', 'a.docx', createZip([contentTypes(docxMain)], { comment: html }), 'x/y'),
  file('docx whose directory is cut off', 'a.docx', officeFile('docx').subarray(0, -40), 'x/y'),
  file(
    'docx with oversized content types',
    'a.docx',
    createZip([{ name: '[Content_Types].xml', content: zeros.subarray(0, 5_000_000) }]),
    'x/y',
  ),
  file(
    'docx with damaged content types',
    'a.docx',
    createZip([{ ...contentTypes(docxMain), size: 10 }]).fill(0xff, 60, 90),
    'x/y',
  ),
  file('archive behind HTML', 'a.docx', createZip([contentTypes(docxMain)], { prefix: html }), 'text/html'),
  file(
    'raw deflate data',
    'a.docx',
    Buffer.concat([Buffer.from('PK\x03\x04'), deflateRawSync(Buffer.from(html))]),
    'x/y',
  ),
]

export const hostileArchives = [...macros, ...archives]

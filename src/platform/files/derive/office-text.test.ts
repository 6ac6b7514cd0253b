import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createZip, officeFile, openDocument } from '../formats/sample-files.fixture.ts'
import { readOfficeText } from './office-text.ts'

const office = 'application/vnd.openxmlformats-officedocument'
const docx = `${office}.wordprocessingml.document`
const pptx = `${office}.presentationml.presentation`
const xlsx = `${office}.spreadsheetml.sheet`
const odt = 'application/vnd.oasis.opendocument.text'

const textOf = async (content: Buffer, mediaType: string, maxCharacters = 200_000) => {
  const read = async (start: number, end: number) => content.subarray(start, end + 1)
  const text = await readOfficeText(read, { mediaType, size: content.length, maxCharacters })
  return text?.replace(/\s+/g, ' ').trim()
}
const part = (name: string, content: string) => ({ name, content })

test('the text of a Word file has no deleted texts, field codes or tags, and words stay whole', async () => {
  const document = `<w:document><w:p><w:r><w:t xml:space="preserve">Fore</w:t></w:r><w:r><w:t>cast &amp; plan &#8364;5</w:t></w:r></w:p>
    <w:p><w:del><w:delText>Secret</w:delText></w:del><w:instrText>PAGE</w:instrText><w:t>Next</w:t></w:p></w:document>`
  const content = officeFile('docx', [
    part('word/footnotes.xml', '<w:t>Note</w:t>'),
    part('word/document.xml', document),
    part('word/styles.xml', '<w:t>Style</w:t>'),
  ])

  assert.equal(await textOf(content, docx), 'Forecast & plan €5 Next Note')
})

test('the slides of a presentation are read in their order', async () => {
  const slide = (number: number) => part(`ppt/slides/slide${number}.xml`, `<a:p><a:t>Slide ${number}</a:t></a:p>`)

  const text = await textOf(officeFile('pptx', [slide(10), slide(2), slide(1)]), pptx)

  assert.equal(text, 'Slide 1 Slide 2 Slide 10')
})

test('shared and inline texts of a spreadsheet and the text of an OpenDocument file are read', async () => {
  const sheet = officeFile('xlsx', [
    part('xl/sharedStrings.xml', '<sst><si><t>Region</t></si><si><t>Revenue</t></si></sst>'),
    part('xl/worksheets/sheet1.xml', '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>West</t></is></c></row>'),
  ])
  const letter = createZip([
    { name: 'mimetype', content: odt, method: 0 },
    part(
      'content.xml',
      '<?xml version="1.0"?><text:h>Dear</text:h><text:p>An<text:span>na</text:span><text:s/>Lee</text:p>',
    ),
  ])

  assert.equal(await textOf(sheet, xlsx), 'Region Revenue West')
  assert.equal(await textOf(letter, odt), 'Dear Anna Lee')
})

test('archives that unpack to more than they say, and large ones, are not unpacked', async () => {
  const large = '<w:t>x</w:t>'.repeat(750_000)
  const understated = officeFile('docx', [{ ...part('word/document.xml', large), size: 1_000 }])
  const tooLarge = officeFile('docx', [part('word/document.xml', large), part('word/header1.xml', '<w:t>Head</w:t>')])
  const slides = Array.from({ length: 60 }, (_, n) =>
    part(`ppt/slides/slide${n + 1}.xml`, `<a:t>s${n + 1} </a:t>${' '.repeat(1_000_000)}`),
  )

  assert.equal(await textOf(understated, docx), undefined)
  assert.equal(await textOf(tooLarge, docx), 'Head')
  assert.equal((await textOf(officeFile('pptx', slides), pptx))?.split(' ').length, 33)
  assert.equal(await textOf(Buffer.from('PK nonsense, but long enough to have an end'), docx), undefined)
  assert.equal(await textOf(openDocument('text'), 'application/pdf'), undefined)
})

/** A pattern that takes quadratic time would not end before the timeout of the test. */
test('markup made to be slow to read has no text', async () => {
  const content = officeFile('docx', [part('word/document.xml', '<w:t '.repeat(1_000_000))])

  assert.equal(await textOf(content, docx), '')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { allowSending } from '../../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import { findProblems, follow, listRequests, neutral, waitForText } from '../check-page.ts'
import { createKeyboard } from '../keyboard/keyboard.ts'
import { phone, startWeb } from '../web-pages.ts'
import { createVisitors, followCadence, segmentName } from './cadence-flow.ts'

const web = await startWeb()
const { tenant, openSignedIn, mails } = web
const desktop = { viewport: { width: 1440, height: 900 } }
const name = 'Visitors <b>2026</b>'

const preview = (page: Page) => page.getByRole('region', { name: 'The preview' })

test('a cadence is written, tested, started and ended by a reply by keyboard only', { timeout: 180_000 }, async () => {
  const acme = await tenant()
  const { anna, omar } = await createVisitors(acme)
  const { page, errors } = await openSignedIn(acme, acme.manager, { ...desktop, path: '/cadences' })
  const { press, type, replace, use, see, focus, seeDialog, seeNoDialog, choose } = createKeyboard(page)
  page.setDefaultTimeout(8000)
  await see('No cadences yet')

  await press('c')
  await seeDialog('New cadence')
  await type(name)
  await press('Enter')
  await see('What happens first?')
  await use('Email')
  await focus('Subject')
  await type('For {{ first')
  await page.getByRole('option', { name: 'First name' }).waitFor()
  await press('Enter')
  await focus('Text')
  await type('Hello {{ first_name | there }},\n\nshall we meet in {{ city }}?')
  await preview(page).getByText('Hello Kenji,').waitFor()
  await press('Escape', 'v', 'Tab', 'Enter')
  await choose('<b>Anna</b> Keller')
  await preview(page).getByText('Hello <b>Anna</b>,').waitFor()
  await see('<b>Anna</b> Keller has no City, so this step would pause.')
  await focus('Text')
  await press('Control+End', ...Array(3).fill('Backspace'))
  await type('| your town }}?')
  await preview(page).getByText('shall we meet in your town?').waitFor()
  await see(/^Saved/)

  await press('Escape')
  await use('Set the addresses')
  await seeDialog('Addresses of all emails')
  assert.deepEqual(await findProblems(page.getByRole('dialog')), [])
  await focus('Sender address')
  await type('sales@acme.example')
  await focus('Postal address')
  await type('Acme, Main Street 1, 12345 Town')
  await use('Save addresses')
  await seeNoDialog()
  await see('Ready to start')
  await use('Test to me')
  await see(`The test of step 1 was sent to ${acme.manager.email}.`)
  const [sent] = await mails(acme.manager.email, 1)
  assert.equal(sent!.subject, '[Test] For <b>Anna</b>')
  assert.match(`${sent!.html}`, /Hello &lt;b&gt;Anna&lt;\/b&gt;,/)
  assert.match(sent!.text!, /shall we meet in your town\?[\s\S]*Acme, Main Street 1/)

  await press('a')
  await focus('Channel')
  await type('Call')
  await focus('Wait')
  await replace('1')
  await focus('Instructions for the sender')
  await type('Ask for the process')
  await press('Escape', 'a')
  await focus('Subject')
  await type('The offer')
  await focus('Text')
  await type('Hello {{ first_name | there }}, this is our offer.')
  await see(/^Saved/)
  await press('Escape')

  await use('Activate')
  await seeDialog(`Activate ${name}`)
  await use('Activate')
  await see(`${name} is active.`)
  const cadence = await followCadence(web, acme)
  assert.deepEqual(
    cadence.steps.map((step: { type: string; delay_days: number }) => [step.type, step.delay_days]),
    [
      ['email_auto', 0],
      ['call', 1],
      ['email_auto', 2],
    ],
  )
  await cadence.openWindow()
  await use('Enroll people')
  await seeDialog(`Enroll people in ${name}`)
  await focus('Segment')
  await type('Visit')
  await page.getByRole('option', { name: segmentName }).waitFor()
  await press('Enter')
  await page.getByRole('option', { name: segmentName }).waitFor({ state: 'hidden' })
  await use('Enroll')
  await see('2 people enrolled, 1 skipped: 1 unsubscribed.')

  await cadence.pass(0)
  const [[mail]] = [await mails(anna, 1), await mails(omar, 1)]
  assert.equal(mail!.subject, 'For <b>Anna</b>')
  await cadence.waitForStep(anna, 2)
  await cadence.waitForStep(omar, 2)
  await cadence.pass(4)
  await press('g', 't')
  await see(`${name}, step 2`)
  await use('Log the call with <b>Anna</b> Keller')
  await seeDialog('How did the call go?')
  await use('Done')
  await see('Done. <b>Anna</b> Keller continues with the next step.')
  await cadence.waitForStep(anna, 3)
  await cadence.reply(mail!, anna)
  await cadence.pass(9)

  const requestsOf = async (path: string, text: string) => {
    // The screen before would read its data again.
    await follow(page, neutral.path)
    const show = async () => {
      await follow(page, path)
      await waitForText(page, text)
    }
    return (await listRequests(page, show)).map((request) => request.replace(cadence.id, '{id}')).toSorted()
  }
  const at = `/cadences/${cadence.id}`
  assert.deepEqual(await requestsOf(`${at}?tab=people`, 'Replied'), [
    'GET /api/cadences/{id}',
    'GET /api/cadences/{id}/enrollments',
  ])
  assert.deepEqual(await requestsOf(`${at}?tab=results`, 'Most frequent: Replied, 1 of 1.'), [
    'GET /api/cadences/{id}',
    'GET /api/cadences/{id}/stats',
  ])
  assert.deepEqual(await requestsOf(at, 'then completed.'), ['GET /api/cadences/{id}', 'GET /api/cadences/{id}/stats'])
  assert.deepEqual(await requestsOf('/cadences', name), ['GET /api/cadences/'])
  assert.equal((await cadence.findPerson(anna)).exit_reason, 'replied')
  assert.equal((await mails(anna)).length, 1)
  assert.deepEqual(errors, [])
})

test('a cadence is written, tested, started and ended by a reply on a phone by touch', {
  timeout: 180_000,
}, async () => {
  const acme = await tenant()
  await allowSending(acme)
  const { anna } = await createVisitors(acme)
  const { page, errors, origin } = await openSignedIn(acme, acme.manager, { ...phone, path: '/cadences' })
  const tap = (button: string) => page.getByRole('button', { name: button, exact: true }).tap()
  const dialog = (title: string) => page.getByRole('dialog', { name: title })
  const see = (text: string) => waitForText(page, text)
  const write = async (subject: string, text: string) => {
    await page.getByLabel('Subject', { exact: true }).fill(subject)
    await page.getByLabel('Text', { exact: true }).fill(text)
  }

  await page.getByRole('button', { name: 'New cadence' }).first().tap()
  await dialog('New cadence').getByLabel('Name').fill(name)
  await tap('Create cadence')
  await tap('Email')
  await write('For {{ first_name }}', 'Hello {{ first_name | there }}')
  await preview(page).getByText('Hello Kenji').waitFor()
  await tap('Next person')
  await preview(page).getByText('Hello Omar').waitFor()
  await tap('Test to me')
  const [sent] = await mails(acme.manager.email, 1)
  assert.equal(sent!.subject, '[Test] For Omar')
  await tap('Close')
  await tap('Add a step')
  await page.getByLabel('Channel').selectOption({ label: 'Call' })
  await page.getByLabel('Wait', { exact: true }).fill('1')
  await tap('Close')
  await tap('Add a step')
  await write('The offer', 'This is our offer.')
  await tap('Close')
  await see('3 steps')

  await tap('Activate')
  await dialog(`Activate ${name}`).getByRole('button', { name: 'Activate' }).tap()
  await see(`${name} is active.`)
  const cadence = await followCadence(web, acme)
  await cadence.openWindow()
  await tap('Enroll people')
  const enroll = dialog(`Enroll people in ${name}`)
  await enroll.getByRole('combobox', { name: 'Segment' }).fill('Visit')
  await enroll.getByRole('option', { name: segmentName }).tap()
  assert.deepEqual(await findProblems(enroll), [])
  await enroll.getByRole('button', { name: /^Enroll/ }).tap()
  await see('2 people enrolled, 1 skipped: 1 unsubscribed.')

  await cadence.pass(0)
  const [mail] = await mails(anna, 1)
  await cadence.waitForStep(anna, 2)
  await cadence.pass(4)
  await page.getByRole('link', { name: 'Tasks' }).tap()
  await tap('Log the call with <b>Anna</b> Keller')
  await dialog('How did the call go?').getByRole('button', { name: 'Done' }).tap()
  await see('Done. <b>Anna</b> Keller continues with the next step.')
  await cadence.reply(mail!, anna)
  await page.goto(`${origin}/cadences/${cadence.id}?tab=people&status=exited`)
  await page.getByText('<b>Anna</b> Keller').waitFor()
  await see('Replied')
  assert.equal((await cadence.findPerson(anna)).exit_reason, 'replied')
  assert.deepEqual(errors, [])
})

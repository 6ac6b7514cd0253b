import assert from 'node:assert/strict'
import { test } from 'node:test'
import { euros, newAccount, newDeal } from '../../../src/modules/crm/deals/opportunities/opportunities.fixture.ts'
import { insertNotifications, negativeResponse, roomAlert } from '../inbox-pages.ts'
import { createLead } from '../lead-pages.ts'
import { startWeb } from '../web-pages.ts'
import { createKeyboard, type Keyboard } from './keyboard.ts'

const { tenant, openSignedIn } = await startWeb()
const acme = await tenant()
const { admin } = acme

/** The actions of a screen and the keys that do them. */
type Actions = Record<string, (user: Keyboard) => Promise<void>>

/** Does the actions one after the other, and checks that no pointer was used. */
async function work(path: string, text: string, actions: Actions): Promise<void> {
  const { page, context, errors } = await openSignedIn(acme, admin, { path: '/nowhere' })
  await context.addInitScript("addEventListener('pointerdown', () => console.error('A pointer was used.'))")
  await page.goto(new URL(path, page.url()).href)
  const user = createKeyboard(page)
  await user.see(text)
  for (const [name, run] of Object.entries(actions))
    await run(user).catch((error: Error) => {
      throw new Error(`By keyboard, "${name}" is not possible: ${error.message}`, { cause: error })
    })
  assert.deepEqual(errors, [])
  await context.close()
}

test('every action of the list of leads is done by keyboard', async () => {
  for (const name of ['Anna Keller', 'Kenji Tanaka', 'Omar Hassan']) await createLead(admin, name)

  await work('/leads?view=all', 'Kenji Tanaka', {
    'choose a view': async ({ use, see }) => {
      await use('Unassigned')
      await see('Every lead has an owner')
      await use('All')
      await see('Kenji Tanaka')
    },
    'add, change and remove a filter': async ({ use, choose, press, see }) => {
      await use('Add a filter')
      await choose('Status')
      await choose('Working')
      await press('Escape')
      await see('No lead matches')
      await use('Remove the filter Status')
      await see('Kenji Tanaka')
    },
    search: async ({ press, type, see }) => {
      await press('/')
      await type('Hassan')
      await see(/1 of 1$/)
      await press('Control+a', 'Backspace', 'Escape')
      await see('Kenji Tanaka')
    },
    'sort by a command and by the menu': async ({ runCommand, use, choose, press, see }) => {
      await runCommand('Sort by name')
      await use('Display')
      await choose('Score')
      await press('Escape')
      await see('Kenji Tanaka')
    },
    'save a view': async ({ use, seeDialog, type, press, see }) => {
      await use('Save view')
      await seeDialog('Save this view')
      await type('By score')
      await press('Enter')
      await see('By score')
    },
    'select leads, set their status and assign them': async ({ press, seeDialog, see, type }) => {
      await press('x', 'j', 'x', '3')
      await seeDialog('Set the status of 2 leads to Working')
      await press('Enter')
      await see('Status of 2 leads set.')
      await press('x', 'a')
      await seeDialog('Assign 1 lead to')
      await type(acme.member.name)
      await press('Enter')
      await see('1 lead assigned.')
    },
    'delete selected leads and undo it': async ({ press, use, see }) => {
      await press('Escape', 'x')
      await use('Delete')
      await see('1 lead deleted.')
      await press('Control+z')
      await see('1 lead restored.')
    },
    'create a lead': async ({ press, seeDialog, focus, type, see }) => {
      await press('c')
      await seeDialog('New lead')
      await focus('Last name')
      await type('Nair')
      await press('Enter')
      await see('Why this score')
      await press('Escape')
    },
    'show the keys': async ({ press, seeDialog, closeDialog }) => {
      await press('?')
      await seeDialog('Keyboard shortcuts')
      await closeDialog()
    },
  })
})

test('every action of a lead is done by keyboard', async () => {
  const lead = await createLead(admin, 'Priya Nair', { company: 'Brightwater' })
  await createLead(admin, 'Priya Nayar', { first_name: 'Priya', last_name: 'Nair', company: 'Brightwater' })

  await work(`/leads?view=all&open=${lead.id}`, 'Why this score', {
    'log a note, a call and a task': async ({ press, type, see }) => {
      for (const [key, text, saved] of [
        ['n', 'Wants a demo.', 'Note saved.'],
        ['l', 'Reached.', 'Call logged.'],
        ['t', 'Send the offer', 'Task created.'],
      ] as const) {
        await press(key)
        await type(text)
        await press('Control+Enter')
        await see(saved)
      }
    },
    'complete a task': async ({ use, see }) => {
      await use('Done')
      await see('Open again')
    },
    'merge a duplicate and undo it': async ({ focus, press, use, see }) => {
      await focus('Activity')
      await press('ArrowLeft')
      await see('Same name and company')
      await use('Merge with Priya Nair')
      await see('What happens')
      await press('Control+Enter')
      await see('Both are one record now: Priya Nair.')
      await press('Control+z')
      await see('The merge was undone.')
    },
    'edit a field': async ({ press, type, see }) => {
      await press('e', 'Enter', 'Control+a')
      await type('Priyanka')
      await press('Enter')
      await see('Priyanka Nair')
    },
    'add and remove a tag': async ({ focus, type, press, use, see }) => {
      await focus('Add a tag')
      await type('fair')
      await press('Enter')
      await see('fair')
      await use('Remove the tag fair')
      await focus('Add a tag')
    },
    'set the status and the owner': async ({ press, see, seeDialog, seeNoDialog, type }) => {
      await press('Tab', '3')
      await see('Working')
      await press('a')
      await seeDialog('Assign the lead to')
      await type(acme.member.name)
      await press('Enter')
      await seeNoDialog()
      await see(acme.member.name)
    },
  })
})

test('every action of deals is done by keyboard', async () => {
  const account_id = await newAccount(acme)
  for (const name of ['Boilers', 'Engines', 'Pipes'])
    await newDeal(acme, { account_id, name, amount: euros('900'), owner_id: admin.userId })

  await work('/deals', 'Boilers', {
    'move a card and undo it': async ({ press, see }) => {
      await press('j', ']')
      await see(/moved to Qualification/)
      await press('Control+z')
      await see(/moved back/)
    },
    'edit a field': async ({ press, focus, type, see }) => {
      await press('Enter')
      await see('Stage history')
      await focus('Edit Next step')
      await press('Enter')
      await type('Send the offer')
      await press('Enter')
      await see('Send the offer')
    },
    'mark as won': async ({ use, seeDialog, press, see }) => {
      await use('Mark as won')
      await seeDialog(/^Win/)
      await press('Enter')
      await see(/is won/)
    },
    'mark as lost': async ({ press, use, see, seeDialog, focus, type }) => {
      await press('Escape', 'j', 'Enter')
      await see('Stage history')
      await use('Mark as lost')
      await seeDialog(/^Lose/)
      await focus('Reason')
      await type('Comp')
      await use('Mark as lost')
      await see(/is lost/)
    },
    search: async ({ press, type, see }) => {
      await press('Escape', '/')
      await type('nothing of this name')
      await see(/^No deal matches/)
      await press('Control+a', 'Backspace')
    },
    'create a deal': async ({ press, seeDialog, closeDialog }) => {
      await press('Escape', 'c')
      await seeDialog('New deal')
      await closeDialog()
    },
  })
})

test('people, inbox and settings are used by keyboard', async () => {
  await acme.person('member', { name: 'Mary Jackson', email: 'mary@keyboard.example' })
  await insertNotifications(acme, admin, negativeResponse(null), roomAlert)

  await work('/people', 'Mary Jackson', {
    'invite a person': async ({ press, seeDialog, type, see }) => {
      await press('c')
      await seeDialog('Invite a person')
      await type('katherine@keyboard.example')
      await press('Tab')
      await type('Katherine Johnson')
      await press('Enter')
      await see('Katherine Johnson')
    },
    'search, open and change a role': async ({ press, type, see, seeDialog, gone }) => {
      await press('/')
      await type('Mary')
      await press('Enter')
      await gone('Katherine Johnson')
      await press('Home', 'Enter')
      await see('Time zone')
      await press('r')
      await seeDialog('Role of Mary Jackson')
      await press('ArrowDown', 'Enter')
      await see('Mary Jackson is now')
    },
    'read the inbox': async ({ press, see }) => {
      await press('Escape', 'g', 'i')
      await see('Room "Group contract"')
      await press('j', 'e', 'Shift+E')
      await see('Inbox')
    },
    'change the profile and the theme': async ({ press, runCommand, use, focus, replace, see }) => {
      await runCommand('Go to Settings')
      await see('API keys')
      await use('Profile')
      await focus('Name')
      await replace('Grace Hopper')
      await press('Enter')
      await see('Saved.')
      await use('Appearance')
      await focus('As the system')
      await press('ArrowDown')
    },
  })
})

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

const toOptions = (...labels: string[]) => labels.map((label, at) => ({ key: `o${at + 1}`, label }))
export const unhappy = { question: 'score', op: 'lte', value: 6 }

export const allTypes = [
  { key: 'hello', question_type: 'statement', title: 'Welcome to our survey', help: 'It takes about two minutes.' },
  {
    key: 'score',
    question_type: 'nps',
    title: 'How likely are you to recommend us?',
    required: true,
    is_primary: true,
  },
  { key: 'reason', question_type: 'long_text', title: 'What should we do better?', show_if: unhappy },
  { key: 'satisfied', question_type: 'csat', title: 'How satisfied are you with the pilot?' },
  { key: 'effort', question_type: 'ces', title: 'How easy was it to start?' },
  { key: 'stars', question_type: 'rating', title: 'How was the training?', rules: { shape: 'star' } },
  { key: 'mood', question_type: 'rating', title: 'How do you feel?', rules: { shape: 'smiley', scale: 4 } },
  {
    key: 'role',
    question_type: 'single_choice',
    title: 'What is your role?',
    options: toOptions('I run the warehouse', 'I plan the shifts'),
    rules: { allow_other: true },
  },
  {
    key: 'site',
    question_type: 'single_choice',
    title: 'Where do you work?',
    options: toOptions('Malmö', 'Lund', 'Ystad'),
    rules: { display: 'dropdown' },
  },
  {
    key: 'helped',
    question_type: 'multiple_choice',
    title: 'What helped you most?',
    options: toOptions('Shorter ways', 'Fewer errors', 'Less lifting'),
    rules: { max_selected: 2 },
  },
  {
    key: 'goals',
    question_type: 'ranking',
    title: 'Order these goals',
    options: toOptions('Speed', 'Safety', 'Price'),
    required: true,
  },
  {
    key: 'parts',
    question_type: 'matrix',
    title: 'How do you rate each part?',
    required: true,
    rules: { rows: toOptions('Setup', 'Support'), columns: toOptions('Poor', 'Fair', 'Good') },
  },
  { key: 'nickname', question_type: 'short_text', title: 'What do you call the robot?' },
  { key: 'robots', question_type: 'number', title: 'How many robots do you need?', rules: { min: 1, max: 500 } },
  { key: 'start', question_type: 'date', title: 'When do you want to start?' },
  { key: 'contact', question_type: 'email', title: 'Where can we reach you?' },
  { key: 'again', question_type: 'yes_no', title: 'Would you buy again?' },
  { key: 'quote', question_type: 'consent', title: 'May we quote you?', required: true },
]

/** Presses Tab until the control has the focus, as a respondent without a mouse does. */
async function focusByKeyboard(page: Page, control: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if (await page.locator(`${control}:focus`).count()) return
  }
  assert.fail(`${control} cannot be reached with Tab`)
}

export const submitByKeyboard = async (page: Page): Promise<void> => {
  await focusByKeyboard(page, '.actions .primary')
  await page.keyboard.press('Enter')
}

const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check()

/** How each question is answered with the mouse or a finger, by its key. */
export const answerByPointer: Record<string, (page: Page) => Promise<unknown>> = {
  hello: async () => {},
  score: (page) => choose(page, '3'),
  reason: (page) => page.getByRole('textbox').fill('The robots stop\ntoo often.'),
  satisfied: (page) => choose(page, '4'),
  effort: (page) => choose(page, '7'),
  stars: (page) => choose(page, '5'),
  mood: (page) => choose(page, '1'),
  role: async (page) => {
    await choose(page, 'Something else')
    await page.getByLabel('Something else, in your words').fill('I buy "robots" & more')
  },
  site: (page) => page.getByRole('combobox').selectOption('Lund'),
  helped: async (page) => {
    await page.getByLabel('Shorter ways').check()
    await page.getByLabel('Less lifting').check()
  },
  goals: async (page) => {
    await page.getByLabel('Speed').selectOption('2')
    await page.getByLabel('Safety').selectOption('1')
    await page.getByLabel('Price').selectOption('3')
  },
  parts: async (page) => {
    await page.getByRole('group', { name: 'Setup' }).getByRole('radio').nth(2).check()
    await page.getByRole('group', { name: 'Support' }).getByRole('radio').nth(0).check()
  },
  nickname: (page) => page.getByRole('textbox').fill('<Robbie>'),
  robots: (page) => page.getByRole('textbox').fill('12'),
  start: (page) => page.getByLabel('When do you want to start?').fill('2030-01-31'),
  contact: (page) => page.getByRole('textbox').fill('ann@buyer.example'),
  again: (page) => choose(page, 'No'),
  quote: (page) => page.getByLabel('I agree').check(),
}

/** The same answers with the keyboard. */
export const answerByKeyboard: Record<string, (page: Page) => Promise<unknown>> = {
  hello: async () => {},
  score: (page) => chooseByKeyboard(page, '#score-0', 3),
  reason: (page) => typeByKeyboard(page, '#reason-0', 'The robots stop\ntoo often.'),
  satisfied: (page) => chooseByKeyboard(page, '#satisfied-0', 3),
  effort: (page) => chooseByKeyboard(page, '#effort-0', 6),
  stars: (page) => chooseByKeyboard(page, '#stars-0', 4),
  mood: (page) => chooseByKeyboard(page, '#mood-0', 0),
  role: async (page) => {
    await chooseByKeyboard(page, '#role-0', 2)
    await typeByKeyboard(page, '[name="a.role._other"]', 'I buy "robots" & more')
  },
  site: async (page) => {
    await focusByKeyboard(page, '#site-0')
    await page.keyboard.type('Lund')
  },
  helped: async (page) => {
    for (const control of ['#helped-0', '#helped-2']) {
      await focusByKeyboard(page, control)
      await page.keyboard.press('Space')
    }
  },
  goals: async (page) => {
    for (const [control, place] of Object.entries({ '#goals-0': '2', '#goals-1': '1', '#goals-2': '3' })) {
      await focusByKeyboard(page, control)
      await page.keyboard.type(place)
    }
  },
  parts: async (page) => {
    await chooseByKeyboard(page, '#parts-0-0', 2)
    await chooseByKeyboard(page, '#parts-1-0', 0)
  },
  nickname: (page) => typeByKeyboard(page, '#nickname-0', '<Robbie>'),
  robots: (page) => typeByKeyboard(page, '#robots-0', '12'),
  start: (page) => typeByKeyboard(page, '#start-0', '01312030'),
  contact: (page) => typeByKeyboard(page, '#contact-0', 'ann@buyer.example'),
  again: (page) => chooseByKeyboard(page, '#again-0', 1),
  quote: async (page) => {
    await focusByKeyboard(page, '#quote-0')
    await page.keyboard.press('Space')
  },
}

/** Selects the first answer of a group and moves on with the arrow key. */
async function chooseByKeyboard(page: Page, first: string, steps: number): Promise<void> {
  await focusByKeyboard(page, first)
  await page.keyboard.press('Space')
  for (let step = 0; step < steps; step++) await page.keyboard.press('ArrowRight')
}

async function typeByKeyboard(page: Page, control: string, text: string): Promise<void> {
  await focusByKeyboard(page, control)
  await page.keyboard.type(text)
}

export const expectedAnswers = {
  score: 3,
  reason: 'The robots stop\ntoo often.',
  satisfied: 4,
  effort: 7,
  stars: 5,
  mood: 1,
  role: { other: 'I buy "robots" & more' },
  site: 'o2',
  helped: ['o1', 'o3'],
  goals: ['o2', 'o1', 'o3'],
  parts: { o1: 'o3', o2: 'o1' },
  nickname: '<Robbie>',
  robots: 12,
  start: '2030-01-31',
  contact: 'ann@buyer.example',
  again: false,
  quote: true,
}

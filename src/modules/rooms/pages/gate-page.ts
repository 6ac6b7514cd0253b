import {
  attributes,
  buildCardPage,
  escapeHtml,
  icons,
  type PublicPage,
  renderCardTop,
  renderIcon,
  renderNote,
} from '#platform/html'
import type { Requirement } from '../links/gate.rules.ts'
import type { RoomPageContext } from './page-context.ts'

export type GateInput = { email?: string; name?: string; password?: string }
/** `email` is not an address; `denied` never says which of the values was wrong. */
export type GateProblem = 'email' | 'denied'
export type Gate = {
  requires: readonly Requirement[]
  input?: GateInput
  problem?: GateProblem | undefined
  /** Visitors of an open link are asked who they are before they change this step of the plan. */
  stepId?: string | undefined
}

const script = '/r/gate.js'

export function buildGatePage({ requires, input = {}, problem, stepId }: Gate, context: RoomPageContext): PublicPage {
  const { gate: texts } = context.texts
  const { workspace } = context.theme
  const isForPlan = stepId !== undefined
  const needsEmail = requires.includes('email') || requires.includes('verified_email')
  const needsPassword = requires.includes('password')
  const lead = texts.leads[needsEmail && needsPassword ? 'both' : needsPassword ? 'password' : 'email']
  const passwordProblem = problem === 'denied' && !needsEmail ? texts.passwordProblem : undefined
  const fields = [
    isForPlan ? `<input type="hidden" name="step" value="${stepId}">` : '',
    needsEmail ? emailField(input.email, problem === 'email' ? texts.emailProblem : undefined, context) : '',
    needsPassword ? passwordField(passwordProblem, context) : '',
  ]
  const label = needsPassword && !requires.includes('verified_email') ? texts.open : texts.continue
  return createPage(context, texts.title, problem !== undefined, [
    renderCardTop({
      icon: 'lock',
      heading: isForPlan ? texts.identify : texts.heading(workspace),
      lead: escapeHtml(isForPlan ? texts.identifyLead(workspace) : lead),
    }),
    problem ? renderSummary(problem, needsEmail ? 'email' : 'password', context) : '',
    renderForm(context, [...fields, submitButton(label)]),
    `<p class="end">${escapeHtml(texts.sees(workspace))}</p>`,
  ])
}

export type CodeState = 'sent' | 'sent_again' | 'wrong'

/** One field is drawn as six cells, so that pasting and autofill work. */
export function buildCodePage(input: GateInput, state: CodeState, context: RoomPageContext): PublicPage {
  const { code: texts } = context.texts
  const isWrong = state === 'wrong'
  const [before, after] = texts.lead
  const field = attributes({
    id: 'code',
    name: 'code',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    pattern: '[0-9]{6}',
    maxlength: 6,
    required: true,
    autofocus: true,
    'aria-invalid': isWrong ? 'true' : undefined,
    'aria-describedby': isWrong ? 'code-problem' : undefined,
  })
  return createPage(context, texts.heading, isWrong, [
    renderCardTop({
      icon: 'checkedEmail',
      heading: texts.heading,
      lead: `${escapeHtml(before)}<b>${escapeHtml(input.email ?? '')}</b>${escapeHtml(after)}`,
    }),
    state === 'sent_again' ? renderNote('good', escapeHtml(texts.sentAgain), ' role="status"') : '',
    renderForm(context, [
      ...Object.entries(input).map(([name, value]) => `<input${attributes({ type: 'hidden', name, value })}>`),
      `<div class="field"><label for="code">${escapeHtml(texts.label)}</label><div class="code${isWrong ? ' bad' : ''}"><input${field}></div>${isWrong ? renderProblem('code', texts.problem, ' role="alert"') : ''}</div>`,
      submitButton(context.texts.gate.open),
      `<div class="again"><span>${escapeHtml(texts.nothingArrived)}</span><button class="link" type="submit" name="again" value="1" formnovalidate>${escapeHtml(texts.sendAgain)}</button><a class="link" href="${context.url}">${escapeHtml(texts.otherAddress)}</a></div>`,
    ]),
  ])
}

/** Browsers do not check the fields, because the page explains a problem better. */
const renderForm = ({ url }: RoomPageContext, parts: readonly string[]): string =>
  `<form method="post" action="${url}" novalidate>${parts.filter(Boolean).join('\n')}</form>`

function renderSummary(problem: GateProblem, field: 'email' | 'password', { texts }: RoomPageContext): string {
  const text = problem === 'email' ? texts.gate.emailProblem : texts.gate.denied
  return renderNote('bad', `<a href="#${field}">${escapeHtml(text)}</a>`, ' role="alert"')
}

const renderProblem = (field: string, text: string, role = ''): string =>
  `<p class="error" id="${field}-problem"${role}>${renderIcon(icons.warning, 16)}${escapeHtml(text)}</p>`

const problemAttributes = (field: string, problem: string | undefined) =>
  problem === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${field}-problem` }

function emailField(value: string | undefined, problem: string | undefined, { texts }: RoomPageContext): string {
  const input = attributes({
    class: 'input',
    id: 'email',
    name: 'email',
    type: 'email',
    autocomplete: 'email',
    maxlength: 254,
    required: true,
    autofocus: true,
    value: value ?? '',
    ...problemAttributes('email', problem),
  })
  return `<div class="field"><label for="email">${escapeHtml(texts.gate.email)}</label><input${input}>${problem ? renderProblem('email', problem) : ''}</div>`
}

/** The button that shows the password needs the script, so it is hidden before. */
function passwordField(problem: string | undefined, { texts: { gate: texts } }: RoomPageContext): string {
  const input = attributes({
    class: 'input',
    id: 'password',
    name: 'password',
    type: 'password',
    autocomplete: 'off',
    maxlength: 128,
    required: true,
    ...problemAttributes('password', problem),
  })
  const button = attributes({
    type: 'button',
    'aria-controls': 'password',
    'aria-label': texts.showPassword,
    'aria-pressed': 'false',
    hidden: true,
  })
  return `<div class="field"><label for="password">${escapeHtml(texts.password)}</label><div class="password"><input${input}><button${button}>${escapeHtml(texts.show)}</button></div>${problem ? renderProblem('password', problem) : ''}</div>`
}

const submitButton = (label: string): string =>
  `<button class="button primary wide" type="submit">${escapeHtml(label)}</button>`

const createPage = (
  { theme, language, texts }: RoomPageContext,
  title: string,
  isError: boolean,
  parts: readonly string[],
): PublicPage =>
  buildCardPage(theme, {
    title: isError ? texts.gate.error(title) : title,
    language,
    parts: parts.filter(Boolean),
    script,
  })

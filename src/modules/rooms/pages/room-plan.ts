import { attributes, escapeHtml, icons, renderIcon } from '#platform/html'
import type { PublicRoom, PublicStep } from '../visits/visits.schemas.ts'
import type { RoomPageContext } from './page-context.ts'
import { countSteps, describeDue, findNextStep, formatDay } from './page-dates.rules.ts'
import { roomIcons } from './room-icons.ts'

/** In a preview, the buttons of the visitor are shown but do nothing. */
type PlanView = { room: PublicRoom; isPreview: boolean; today: string }

export function renderNextStep({ room, isPreview, today }: PlanView, context: RoomPageContext): string {
  const step = findNextStep(room.plan.steps)
  if (!step) return ''
  const { plan: texts } = context.texts
  const due = step.due_on && describeDue(step.due_on, today, { locale: context.locale, late: texts.late })
  const day = step.due_on && formatDay(step.due_on, context.locale, { length: 'long', hasWeekday: true, today })
  const who = [step.assignee_name, day].filter(Boolean).join(', ')
  const badge = due ? `<span class="due ${due.kind}">${escapeHtml(due.text)}</span>` : ''
  const button = attributes({
    class: 'button primary',
    type: 'submit',
    name: 'status',
    value: 'done',
    disabled: isPreview,
  })
  return `<section class="next" aria-labelledby="next-step"><p class="eyebrow">${renderIcon(roomIcons.flag, 17)}<span>${escapeHtml(texts.nextStep)}</span>${badge}</p>
<div class="stack"><h2 id="next-step" tabindex="-1">${escapeHtml(step.title)}</h2>${who ? `<p class="about">${escapeHtml(who)}</p>` : ''}${step.description ? `<p class="about">${escapeHtml(step.description)}</p>` : ''}</div>
<form class="acts"${formAttributes(step, context)}><button${button}>${renderIcon(icons.check, 17, 2.4)}${escapeHtml(texts.markAsDone)}</button><a class="button quiet" href="#plan">${escapeHtml(texts.seePlan)}</a></form></section>`
}

export function renderPlan({ room, isPreview, today }: PlanView, context: RoomPageContext): string {
  const { steps } = room.plan
  if (!steps.length) return ''
  const { plan: texts } = context.texts
  const { done, total } = countSteps(steps)
  const bar = attributes({ 'aria-label': texts.stepsDone, value: done, max: Math.max(total, 1) })
  const hasOwnSteps = steps.some(({ side, status }) => side === 'buyer' && status !== 'cancelled')
  const next = findNextStep(steps)
  const rows = steps.map((step) => renderStep(step, { isPreview, today, isNext: step === next }, context))
  return `<section class="panel" id="plan" aria-labelledby="plan-title"><header><div><h2 id="plan-title">${escapeHtml(texts.title)}</h2><span class="count">${escapeHtml(texts.done(done, total))}</span></div><progress${bar}></progress></header>
<ol class="steps">${rows.join('\n')}</ol>
${hasOwnSteps ? `<p class="foot"><span class="key"></span>${escapeHtml(texts.ownSteps)}</p>` : ''}</section>`
}

type StepView = { isPreview: boolean; isNext: boolean; today: string }

function renderStep(step: PublicStep, { isPreview, isNext, today }: StepView, context: RoomPageContext): string {
  const isDone = step.status === 'done'
  const isClosed = isDone || step.status === 'cancelled'
  const classes = [isClosed ? step.status : 'open', isNext && 'now'].filter(Boolean).join(' ')
  const tick =
    step.side === 'buyer' && step.status !== 'cancelled'
      ? renderTickButton(step, isPreview, context)
      : `<span class="tick"><i>${renderTick(step)}</i><span class="hidden">${escapeHtml(context.texts.plan.states[step.status])}: </span></span>`
  return `<li class="${classes}">${tick}<div class="title">${escapeHtml(step.title)}${isClosed ? '' : renderWho(step, context)}</div>${renderDueDay(step, { hasWeekday: !isClosed, today }, context)}</li>`
}

const renderTick = ({ status }: PublicStep): string =>
  renderIcon(status === 'cancelled' ? roomIcons.minus : icons.check, 14, 3)

function renderTickButton(step: PublicStep, isPreview: boolean, context: RoomPageContext): string {
  const { plan: texts } = context.texts
  const isDone = step.status === 'done'
  const button = attributes({
    class: 'tick',
    type: 'submit',
    name: 'status',
    value: isDone ? 'todo' : 'done',
    'aria-label': isDone ? texts.markStepAsNotDone(step.title) : texts.markStepAsDone(step.title),
    disabled: isPreview,
  })
  return `<form${formAttributes(step, context)}><button${button}><i>${renderTick(step)}</i></button></form>`
}

function renderWho({ side, assignee_name, status }: PublicStep, { theme, texts }: RoomPageContext): string {
  const owner =
    side === 'buyer' ? `<span class="mine">${escapeHtml(texts.plan.you)}</span>` : escapeHtml(theme.workspace)
  const more = [assignee_name, status === 'in_progress' ? texts.plan.states.in_progress : null]
  return `<span class="who">${[owner, ...more.flatMap((text) => (text ? [escapeHtml(text)] : []))].join(' · ')}</span>`
}

function renderDueDay(
  { due_on }: PublicStep,
  style: { hasWeekday: boolean; today: string },
  { locale }: RoomPageContext,
): string {
  if (!due_on) return ''
  const text = formatDay(due_on, locale, { length: 'short', ...style })
  return `<time class="date" datetime="${due_on}">${escapeHtml(text)}</time>`
}

const formAttributes = ({ id }: PublicStep, { url }: RoomPageContext): string =>
  attributes({ method: 'post', action: `${url}/plan/${id}`, 'data-step': id })

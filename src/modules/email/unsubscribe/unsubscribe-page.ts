import {
  attributes,
  buildCardPage,
  type CardTop,
  escapeHtml,
  type PageLanguage,
  type PageTheme,
  type PublicPage,
  renderCardTop,
  renderNote,
} from '#platform/html'
import type { PreferencesState } from './unsubscribe.service.ts'
import { unsubscribeTexts } from './unsubscribe-texts.ts'

/** `choose` and `saved` show the preferences, also to recipients who are subscribed. */
export type UnsubscribeView = 'link' | 'choose' | 'saved'
type PageContext = { theme: PageTheme; language: PageLanguage; token: string }

export function buildUnsubscribePage(
  context: PageContext,
  state: PreferencesState | 'invalid',
  view: UnsubscribeView,
): PublicPage {
  const texts = unsubscribeTexts[context.language]
  if (state === 'invalid') {
    const top: CardTop = { icon: 'brokenLink', tone: 'plain', heading: texts.invalid, lead: texts.invalidLead }
    return createPage(context, top, [])
  }
  if (view !== 'link') return buildPreferencesPage(context, state, view)
  return state.preferences[state.channel] ? buildConfirmation(context, state) : buildResult(context, state)
}

function buildConfirmation(context: PageContext, { email_masked, channel }: PreferencesState): PublicPage {
  const texts = unsubscribeTexts[context.language]
  const lead = around(texts.stop[channel](context.theme.workspace), email_masked)
  return createPage(context, { icon: 'stoppedEmail', heading: texts.confirm, lead }, [
    `<form${formAttributes(context)}><input type="hidden" name="List-Unsubscribe" value="One-Click">
<div class="stack"><button class="button primary wide" type="submit">${texts.unsubscribe}</button>
<a class="button quiet wide" href="?choose=1">${texts.choose}</a></div></form>`,
  ])
}

function buildResult(context: PageContext, state: PreferencesState): PublicPage {
  const texts = unsubscribeTexts[context.language]
  const lead = around(texts.stopped[state.channel](context.theme.workspace), state.email_masked)
  const parts = [renderPreferences(context, state, 'button primary wide'), `<p class="end">${texts.stillSent}</p>`]
  return createPage(context, { icon: 'check', tone: 'good', heading: texts.done, lead }, parts, true)
}

function buildPreferencesPage(context: PageContext, state: PreferencesState, view: UnsubscribeView): PublicPage {
  const texts = unsubscribeTexts[context.language]
  const lead = around([texts.forAddress, ''], state.email_masked)
  const { email, survey } = state.preferences
  const parts = [
    view === 'saved' ? renderNote('good', texts.saved, ' role="status"') : '',
    renderPreferences(context, state, view === 'saved' ? 'button wide' : 'button primary wide'),
    email || survey
      ? `<form${formAttributes(context)}><button class="button quiet wide" type="submit" name="preferences" value="none">${texts.fromEverything}</button></form>`
      : '',
  ]
  return createPage(context, { heading: texts.preferences(context.theme.workspace), lead }, parts, true)
}

function renderPreferences(context: PageContext, { preferences }: PreferencesState, buttonClasses: string): string {
  const texts = unsubscribeTexts[context.language]
  const renderSwitch = (name: 'email' | 'survey', hint: string) =>
    `<label><span>${texts[name]}</span><small>${hint}</small><input${attributes({ type: 'checkbox', name, value: '1', checked: preferences[name] })}><i></i></label>`
  return `<form${formAttributes(context)}><input type="hidden" name="preferences" value="selected">
<fieldset><legend class="label">${texts.choose}</legend>
<div class="preferences">${renderSwitch('email', texts.emailHint)}${renderSwitch('survey', texts.surveyHint)}</div></fieldset>
<button class="${buttonClasses}" type="submit">${texts.save}</button></form>`
}

const formAttributes = ({ token }: PageContext): string =>
  attributes({ method: 'post', action: `/unsubscribe/${encodeURIComponent(token)}` })

const around = ([before, after]: readonly [string, string], email: string): string =>
  `${escapeHtml(before)}<b>${escapeHtml(email)}</b>${escapeHtml(after)}`

const createPage = ({ theme, language }: PageContext, top: CardTop, parts: string[], isWide = false): PublicPage =>
  buildCardPage(theme, { title: top.heading, language, parts: [renderCardTop(top), ...parts.filter(Boolean)], isWide })

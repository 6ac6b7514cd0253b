import type { FastifyRequest } from 'fastify'
import { readPageTheme, readSettings } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { choosePageLanguage, choosePageLocale, type PageLanguage, type PageTheme } from '#platform/html'
import type { PublicRoom } from '../visits/visits.schemas.ts'
import { type RoomPageTexts, roomPageTexts } from './texts/room-page-texts.ts'

export type PageSettings = { theme: PageTheme; timeZone: string }

export type RoomPageContext = PageSettings & {
  /** Path of the page of the room. */
  url: string
  language: PageLanguage
  /** The language with a region, for dates and numbers. */
  locale: string
  texts: RoomPageTexts
}

export async function readPageSettings(tx: TenantTx, workspace: string): Promise<PageSettings> {
  const [theme, { timezone }] = await Promise.all([readPageTheme(tx, workspace), readSettings(tx, 'general')])
  return { theme, timeZone: timezone }
}

/** The logo of the workspace is shown in rooms without one. */
const toRoomTheme = (theme: PageTheme, branding: PublicRoom['branding'] | undefined): PageTheme =>
  branding
    ? {
        ...theme,
        color: branding.primary_color,
        logoUrl: branding.logo_url ?? theme.logoUrl ?? null,
        mode: branding.theme,
      }
    : theme

/** Without the branding of a room, the page has the look of the workspace. */
export function createPageContext(
  { headers, params }: FastifyRequest,
  { theme, timeZone }: PageSettings,
  branding?: PublicRoom['branding'],
): RoomPageContext {
  const { share_token: shareToken } = params as { share_token: string }
  const language = choosePageLanguage(headers['accept-language'])
  return {
    url: `/r/${encodeURIComponent(shareToken)}`,
    theme: toRoomTheme(theme, branding),
    timeZone,
    language,
    locale: choosePageLocale(headers['accept-language']),
    texts: roomPageTexts[language],
  }
}

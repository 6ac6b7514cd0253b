export { attributes } from './attributes.ts'
export { type BrandColors, calculateBrandColors } from './brand-colors.ts'
export { buildCardPage, type CardTop, productTexts, renderCardTop, renderNote } from './card-page.ts'
export { escapeHtml } from './escape-html.ts'
export { icons, renderIcon } from './icons.ts'
export {
  choosePageLanguage,
  choosePageLocale,
  listAcceptedLanguages,
  type PageLanguage,
  type PageTexts,
  pageLanguages,
} from './page-languages.ts'
export { loadPublicAssets, publicAssetNames } from './public-assets.ts'
export { type PageTheme, type PublicPage, renderPublicPage, renderSender } from './public-page.ts'

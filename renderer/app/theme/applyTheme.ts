import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
  type MantineThemeOverride,
} from '@mantine/core';

/**
 * Puts the theme's CSS variables on the page through a constructed stylesheet. Mantine's own way is a style
 * element, which the strict content security policy (style-src 'self') refuses.
 */
export function applyThemeVariables(override: MantineThemeOverride): void {
  const theme = mergeMantineTheme(DEFAULT_THEME, override);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(convertCssVariables(defaultCssVariablesResolver(theme)));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

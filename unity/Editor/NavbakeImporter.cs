using System;
using System.IO;
using UnityEditor.AssetImporters;
using UnityEngine;

namespace Navbake.Editor
{
    /// <summary>Makes a <see cref="NavbakeAsset"/> of each file <c>.navbake</c>.</summary>
    [ScriptedImporter(1, "navbake")]
    public sealed class NavbakeImporter : ScriptedImporter
    {
        /// <summary>Reads a file; a damaged one is an error of the import.</summary>
        public override void OnImportAsset(AssetImportContext ctx)
        {
            var asset = ScriptableObject.CreateInstance<NavbakeAsset>();
            try
            {
                asset.Read(File.ReadAllBytes(ctx.assetPath));
            }
            catch (NavbakeException fault)
            {
                ctx.LogImportError(ctx.assetPath + ": " + fault.Message
                    + "; bake it again with navbake of the package's version");
                return;
            }
            catch (Exception fault) when (fault is TypeLoadException
                || fault is BadImageFormatException)
            {
                ctx.LogImportError(ctx.assetPath + ": the library navbake_c cannot be used: "
                    + fault.Message + "; put it into Plugins, built from the same navbake for "
                    + "this system, and restart the Editor");
                return;
            }
            ctx.AddObjectToAsset("navmesh", asset);
            ctx.SetMainObject(asset);
        }
    }
}
